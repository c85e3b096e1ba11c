// Costs: what things take in the simulated cluster, in nanoseconds of virtual time.
#pragma once

#include <cstdint>

#include "belay/inter/sim/event_queue.hpp"

namespace belay::sim {

struct Costs {
  Nanoseconds task = 100;             // one task
  Nanoseconds publish = 100;          // one chunk split off and pushed
  Nanoseconds local_steal = 200;      // one chunk from another deque of the node
  Nanoseconds wake_up = 5'000;        // from new work to a sleeping worker's first step
  Nanoseconds pick_up = 100'000;      // from a message's arrival to the communication thread's look
  Nanoseconds idle_pick_up = 10'000;  // the same while the node is idle
  Nanoseconds look_around = 1'000'000;  // a communication thread looks at least this often
  Nanoseconds latency_min = 1'000;      // of a message, drawn uniformly
  Nanoseconds latency_max = 3'000;
  // One in so many messages takes ten times the longest latency; 0: none.
  std::uint32_t one_straggler_in = 0;
  Nanoseconds per_task_sent = 3;  // loot: 24 bytes at 10 GB/s

  // Small messages of a pair arrive in the order in which they were sent. Otherwise in any: MPI
  // promises an order of matching alone, and the protocol is to depend on none.
  bool pairs_in_order = true;
  // Everything happens at multiples of this, >= 1: a coarse grid makes many things coincide.
  Nanoseconds grid = 1;
};

// The longest that a small message can take.
[[nodiscard]] inline Nanoseconds longest_latency(const Costs& costs) {
  return costs.one_straggler_in == 0 ? costs.latency_max : 10 * costs.latency_max;
}

// The next instant of the grid at or after a time >= 0.
[[nodiscard]] inline Nanoseconds on_grid(const Costs& costs, Nanoseconds time) {
  return (time + costs.grid - 1) / costs.grid * costs.grid;
}

}  // namespace belay::sim
