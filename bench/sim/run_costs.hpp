// What shows only in a run: how long messages wait for a communication thread, idle workers for
// their sleep, and communication threads for a core. From the traces of runs that count T1 over two
// ranks.
#pragma once

#include "apps/uts/uts.hpp"
#include "belay/core/parameters.hpp"
#include "belay/inter/runtime/session.hpp"

namespace bench {

// Medians, but for the share.
struct RunCosts {
  // From a request or loot on its way, less the latency, to when it is received: by a rank whose
  // workers all were computing when it arrived, and by one whose workers all slept.
  double pick_up_ns = 0;
  double idle_pick_up_ns = 0;
  // From when a worker has nothing to do, through all its vain looks at the other deques, to when
  // it waits.
  double spin_ns = 0;
  // Of the communication thread's looks while a worker computed, how many took so long that it had
  // lost its core meanwhile, and how long those took; 0 if none did.
  double held_up_share = 0;
  double held_up_ns = 0;
};

// Collective over two ranks; as measured on rank 0, on the other one nothing. Throws
// std::runtime_error if something never happened.
[[nodiscard]] RunCosts run_costs(belay::Session& session, const apps::UtsProblem& problem,
                                 belay::Parameters parameters, int runs, double latency_ns);

}  // namespace bench
