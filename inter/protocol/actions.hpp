// Actions: what a node's protocol wants done, in order. The vector is reused, so that nothing
// is allocated in steady state.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "belay/inter/protocol/message.hpp"

namespace belay {

// Send the message, a header alone, to a rank.
struct Send {
  int to = 0;
  Message message;
};

// Take up to `chunks` chunks from the workers' deques, the fullest first, and send them with
// this header; it already counts as sent. If there is none any more, call nothing_to_give.
struct Give {
  int to = 0;
  std::uint32_t chunks = 0;
  Message message;
};

// Make busy workers publish at their next task boundary.
struct AskToPublish {};

using Action = std::variant<Send, Give, AskToPublish>;
using Actions = std::vector<Action>;

// How the node fares at this moment, as its communication thread finds it.
struct LocalState {
  std::uint32_t surplus = 0;    // chunks on the workers' deques, as Node::surplus counts
  bool hungry = false;          // a worker found nothing, and no deque shows a chunk
  bool idle = false;            // all workers wait, all deques are empty
  std::uint32_t shown = 0;      // chunks on the workers' deques, all of them
  std::uint32_t arrived = 0;    // chunks from abroad that no worker has taken yet
  std::uint64_t tasks = 0;      // in all bags of the node, about
  std::uint64_t few = 0;        // tasks: with fewer it will soon run out of work
  std::uint64_t times_few = 0;  // how often it came to have so few, after twice as many
  std::int64_t now_ns = 0;      // by a clock that does not go backwards; for backing off
};

}  // namespace belay
