// What costs the threads of one node. Medians, in ns of one process that has nothing else to do.
#pragma once

#include <vector>

#include "apps/uts/uts.hpp"
#include "belay/intra/cores.hpp"

namespace bench {

// T1, and bags as they are in the middle of a depth-first search of it.
struct UtsExample {
  UtsExample();
  apps::UtsProblem problem;
  std::vector<apps::UtsProblem::Bag> bags;  // each can be split
};

// A node of the tree, searched by one thread without a scheduler.
[[nodiscard]] double uts_node_ns(const UtsExample& uts, int rounds);

// A worker splits a bag, and half of it becomes a chunk that its deque shows and whose thieves are
// called.
[[nodiscard]] double publish_ns(const UtsExample& uts, int rounds);

// A worker takes a chunk that a thread on another core has pushed, and has looked at all its tasks.
[[nodiscard]] double local_steal_ns(const UtsExample& uts, int rounds);

// From a ring to the first step of the thread that slept. Who rings is busy on the core where a
// run with so many workers has its first one; who sleeps is where it has its last one or, if there
// is one worker and a core to spare, its communication thread.
[[nodiscard]] double wake_up_ns(const belay::Cores& cores, int threads, int rounds);

// Of packed bags, for each task in them.
[[nodiscard]] double task_bytes(const UtsExample& uts);

}  // namespace bench
