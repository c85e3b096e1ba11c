// Policy: whom a hungry node asks for work, and what a node without surplus does with a request.
//
// The steal protocol keeps the rules that hold for all of them: one request unanswered at a
// time, every request answered, remembered thieves served from the first surplus. A policy
// chooses within them, from what it is told and from the random numbers it was given. A new one
// is a new file and a name in make_policy.
//
// One thread: the protocol's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "belay/core/parameters.hpp"
#include "belay/core/statistics.hpp"

namespace belay {

struct PolicyOptions {
  PolicyKind kind = PolicyKind::lifeline;
  int rank = 0;
  int size = 2;           // > 1
  int random_steals = 1;  // w
  int lifelines = 3;      // z
  std::uint64_t seed = 1;
};

struct Victim {
  int rank = 0;
  RequestKind kind = RequestKind::random;  // random: to anybody; lifeline: wants to be remembered
  bool operator==(const Victim&) const = default;
};

// What becomes of a request that cannot be served.
struct Reply {
  enum class What : std::uint8_t {
    refuse,
    remember,  // refuse, and serve it with the first surplus
    forward,   // to rank `to`, which answers the thief; refused once it has been everywhere
  };
  What what = What::refuse;
  int to = 0;
};

class Policy {
 public:
  virtual ~Policy() = default;

  // The node is hungry and no request is unanswered: whom to ask now; nobody: to wait.
  // now_ns: any clock that does not go backwards.
  [[nodiscard]] virtual std::optional<Victim> next_victim(std::int64_t now_ns) = 0;

  // A request was answered without loot by rank `by`.
  virtual void refused(int by) = 0;
  // Loot came from rank `from`, as an answer or late on a lifeline.
  virtual void loot_came(int from, RequestKind kind) = 0;
  // The node is not hungry.
  virtual void fed() = 0;

  // This node has no surplus for a thief's request (random or lifeline).
  [[nodiscard]] virtual Reply without_surplus(int thief, RequestKind kind) = 0;
};

[[nodiscard]] std::unique_ptr<Policy> make_policy(const PolicyOptions& options);

}  // namespace belay
