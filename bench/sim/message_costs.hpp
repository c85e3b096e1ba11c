// What messages cost: on their way between two ranks, and the communication thread that handles
// them.
#pragma once

#include "belay/core/parameters.hpp"
#include "belay/inter/runtime/session.hpp"

namespace bench {

struct MessageCosts {
  // Of a small message between two threads that do nothing but look for it: half of the way there
  // and back, with the sender's and the receiver's own time.
  double latency_ns = 0;  // median
  double latency_p10_ns = 0;
  double latency_p90_ns = 0;
  // What 1 MiB takes beyond a small message, half of its time at least; medians.
  double bandwidth_gb_per_s = 0;
  // Processor time of one look that finds nothing, and of falling asleep and waking up for it,
  // which is most of it.
  double look_ns = 0;
  // A request is found, refused and answered; medians.
  double service_ns = 0;
};

// Collective over two ranks; as measured on rank 0, on the other one nothing.
[[nodiscard]] MessageCosts message_costs(belay::Session& session,
                                         const belay::Parameters& parameters, int rounds);

}  // namespace bench
