// Parameters: everything that tunes a run, with its default and the reason for it. The one
// place where defaults are defined. n, w, z as in Saraswat et al., Lifeline-based Global Load
// Balancing, PPoPP 2011 (10.1145/1941553.1941582); k: its share of a steal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>

#include "belay/core/progress.hpp"

namespace belay {

// Whom a hungry node asks for work; see inter/protocol/policies.hpp.
enum class PolicyKind : std::uint8_t {
  lifeline,  // w random victims, then z lifelines, which remember it
  random,    // random victims for ever, backing off after each w
  ring,      // the ranks in turn, from where the last steal succeeded on
};

// Whom a node asks ahead, while it still has work but not much.
enum class Prefetch : std::uint8_t {
  random,  // any other
  ring,    // the next rank, as in Machado et al., UTS on manycore with GPI, section 5.3
  off,     // nobody
};

// Where the reduced result of a run is.
enum class ResultAt : std::uint8_t {
  every_rank,  // which costs a broadcast
  root,        // rank 0; the others have the identity
};

// Every rank of a run passes the same, but for threads and stop.
struct Parameters {
  // Workers of this rank, 1 to 4096; 0: one per core of the rank's share of the host, but no
  // more than the whole CPUs in its share of the cgroup's CPU quota.
  int threads = 0;

  // n, tasks per quantum; 0: adaptive, a few microseconds' worth while the worker's deque
  // shows less than it should, longer while it shows enough. A quantum counts in time:
  // simulated on a critical tree with tasks of 46 ns, 1024 are as good and 128 lose 0.5 %.
  std::uint32_t quantum = 0;

  // Lifelines cost idle nodes no requests and no time to notice new work.
  PolicyKind policy = PolicyKind::lifeline;

  // w, random victims asked before the lifelines, or before the policy `random` backs off; 0
  // to 1000000, for `random` at least 1. In simulation none or three gain or lose 0.3 % at
  // most.
  int random_steals = 1;

  // z, dimensions of the lifeline graph, 1 to 64. In simulation three are as good as six,
  // and one loses 0.4 to 2 %.
  int lifelines = 3;

  // k, tasks per steal; 0: half of a bag in a chunk, and half of a node's chunks. Simulated on a
  // critical tree, 20 tasks at a time lose 3 %.
  std::size_t steal = 0;

  // Where work runs out, it does so on neighbours in the ring together: in simulation random
  // victims lose 7 to 32 % less time than they with short tasks, and ask 11 to 60 % less.
  Prefetch prefetch = Prefetch::random;

  // Surplus, in chunks, below which a node asks ahead; 0: half as many as there are workers. With
  // few tasks left, see core/thresholds.hpp, it does so whatever its surplus.
  std::uint32_t prefetch_below = 0;

  // Chunks that a worker's deque should show, 1 to 1024. With two a thief need not wait for the
  // owner's next quantum; simulated on critical trees, one loses up to 0.3 %, and gains as much as
  // 0.04 % on geometric ones. With adaptive quanta a bag of few short tasks is split for those
  // alone who ask, see core/thresholds.hpp.
  int chunks_shown = 2;

  // A result of megabytes need not travel back to ranks that make no use of it.
  ResultAt result_at = ResultAt::every_rank;

  // Seeds the choice of victims; results do not depend on it.
  std::uint64_t seed = 1;

  // Bind each worker to a core of its own, or to a hardware thread, when there are enough of
  // them. A system that refuses costs a warning. Without it the scheduler moves workers about,
  // away from their caches.
  bool bind = true;

  // Events of each thread, the latest, that Statistics holds for a picture of the run: 40 bytes
  // each, on rank 0 those of all threads; 0: none.
  std::uint32_t trace_events = 0;

  // Called on rank 0 once a second with what all ranks have done so far, on the thread that called
  // run(); empty, on all ranks: nobody wants to know. What it throws ends the run.
  std::function<void(const Progress&)> progress{};

  // When stop is requested the run ends early on all ranks and throws belay::Stopped.
  std::stop_token stop{};

  // Throws std::invalid_argument that names the value and the allowed range.
  void validate() const;
};

}  // namespace belay
