// Costs: what things take in the simulated cluster, in nanoseconds of virtual time where nothing
// else is said. Defaults are measured on one virtual machine or, of the network, what clusters
// have.
#pragma once

#include <cstdint>

#include "belay/inter/sim/event_queue.hpp"

namespace belay::sim {

struct Costs {
  Nanoseconds task = 100;         // one task
  Nanoseconds publish = 100;      // one chunk split off and pushed
  Nanoseconds local_steal = 200;  // one chunk from another deque of the node
  // From new work to a sleeping worker's first step, and from a worker's ring to the communication
  // thread's look.
  Nanoseconds wake_up = 5'000;
  Nanoseconds spin = 20'000;  // how long a worker that found nothing looks again before it waits

  Nanoseconds pick_up = 100'000;      // from a message's arrival to the communication thread's look
  Nanoseconds idle_pick_up = 10'000;  // the same where somebody listens all the time
  Nanoseconds look_around = 1'000'000;  // a communication thread looks at least this often
  Nanoseconds look = 0;                 // the communication thread's time for one look ...
  Nanoseconds service = 0;              // ... and for each message that it finds
  // The communication thread has no core of its own: what it needs it takes from a busy worker,
  // each time from another one, unless a waiting one leaves it a core. A worker that wakes it where
  // it ran last stands still until it looks.
  bool shares_cores = false;
  // After this share of its looks the communication thread has no core for so long, since others
  // have them all.
  double held_up_share = 0;
  Nanoseconds held_up = 0;

  Nanoseconds latency_min = 1'000;  // of a message, drawn uniformly
  Nanoseconds latency_max = 3'000;
  // One in so many messages takes ten times the longest latency; 0: none.
  std::uint32_t one_straggler_in = 0;
  double bandwidth = 10;   // for loot, GB/s
  double task_bytes = 24;  // of a task in loot

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

// What loot takes beyond a small message.
[[nodiscard]] inline Nanoseconds transfer_time(const Costs& costs, std::uint64_t tasks) {
  return static_cast<Nanoseconds>(static_cast<double>(tasks) * costs.task_bytes / costs.bandwidth);
}

// The next instant of the grid at or after a time >= 0.
[[nodiscard]] inline Nanoseconds on_grid(const Costs& costs, Nanoseconds time) {
  return costs.grid == 1 ? time : (time + costs.grid - 1) / costs.grid * costs.grid;
}

}  // namespace belay::sim
