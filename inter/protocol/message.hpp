// Message: everything that nodes say to each other during a run. Loot carries packed bags
// behind it; all else is this header alone.
#pragma once

#include <cstdint>

#include "belay/core/statistics.hpp"

namespace belay {

enum class MessageKind : std::uint8_t {
  request,  // give me work
  refusal,  // answer to a request: none to give now
  loot,     // work: the answer to a request, or later on a remembered lifeline
  ask,      // down the combining tree: a round begins
  vote,     // up the combining tree: all below me are ready
  report,   // up the combining tree: something failed, or a stop was requested
};
inline constexpr std::uint8_t kMessageKinds = 6;

// How a run ends; the root decides. Ordered: of several, the largest counts.
enum class RunOutcome : std::uint8_t { success, stopped, failed };

// What a round of the combining tree is about.
enum class Phase : std::uint8_t {
  working,   // is anything left?
  draining,  // the outcome is decided; is any message left?
  leaving,   // no; go
};

struct Message {
  MessageKind kind{};
  RequestKind request{};    // request, refusal, loot: of what kind the request was
  bool has_private_work{};  // refusal: no surplus, but workers are busy
  std::int32_t thief{};     // request: who asked first
  std::uint32_t hops{};     // request: how often it was forwarded
  std::uint64_t tasks{};    // request, if a prefetch: how many the thief has
  bool late{};              // loot: on a remembered lifeline, not the answer to a request
  Phase phase{};            // ask, vote
  RunOutcome outcome{};     // ask when no longer working, report
  std::int32_t rank{};      // ask, report: the lowest rank that failed
  std::uint32_t round{};    // ask, vote
  // ask, vote: how many messages of these kinds, this one included, the sender has sent along
  // this edge of the tree in this direction.
  std::uint32_t edge_count{};
  std::uint64_t sent{};      // vote: loot messages sent by the nodes of this subtree
  std::uint64_t received{};  // vote: loot messages received by them
};

}  // namespace belay
