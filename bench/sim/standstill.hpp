// Standstill: ends a simulation of which nothing comes any more, since communication threads look
// around for ever.
//
// A run stands still while no worker computes, no loot travels and no rank learns of the end. A
// valid one does so from one message to the next, for the votes at the end, and for the requests
// that a node sends before it falls silent. That is far less than is allowed here: a thousand
// messages and those requests, one after the other, each of which meets all that can delay one, and
// one from every rank before it. inter/sim/checks/the_end_comes.hpp is closer, but not for tasks of
// seconds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <stdexcept>

#include "belay/inter/protocol/back_off.hpp"
#include "belay/inter/sim/observer.hpp"
#include "belay/inter/sim/simulation_options.hpp"

namespace bench {

// Watches one simulation.
class Standstill final : public belay::sim::Observer {
 public:
  explicit Standstill(const belay::sim::SimulationOptions& options)
      : costs_(options.costs),
        computing_(std::int64_t{options.nodes} * options.workers),
        longest_ns_(longest_ns(options)) {}

  // No valid run stands still for so long.
  [[nodiscard]] static double longest_ns(const belay::sim::SimulationOptions& options) {
    const belay::sim::Costs& costs = options.costs;
    const auto& protocol = options.protocol;
    double delay_ns = belay::BackOff::kLongestNs;
    delay_ns += static_cast<double>(options.nodes) * static_cast<double>(costs.service);
    for (const auto cost : {costs.latency_max, costs.pick_up, costs.idle_pick_up, costs.look_around,
                            costs.look, costs.held_up, costs.wake_up, costs.spin}) {
      delay_ns += static_cast<double>(cost);
    }
    const bool is_ring = protocol.policy == belay::PolicyKind::ring;
    return (1000 + (is_ring ? options.nodes : protocol.random_steals + protocol.lifelines)) *
           delay_ns;
  }

  void handle_state(belay::sim::Nanoseconds now, int /*rank*/, belay::sim::WorkerState from,
                    belay::sim::WorkerState to) override {
    if (from == belay::sim::WorkerState::computing) --computing_;
    if (to == belay::sim::WorkerState::computing) ++computing_;
    go_on(now);
  }
  void handle_sent(belay::sim::Nanoseconds now, const belay::sim::Envelope& envelope) override {
    if (envelope.message.kind != belay::MessageKind::loot) return;
    go_on(now + transfer_time(costs_, envelope.tasks));
  }
  void handle_decided(belay::sim::Nanoseconds now, int /*rank*/, belay::RunOutcome /*outcome*/,
                      int /*failed_rank*/) override {
    go_on(now);
  }
  void handle_done(belay::sim::Nanoseconds now, int /*rank*/) override { go_on(now); }

  // Throws std::runtime_error if nothing has come of anything for too long.
  void handle_look(belay::sim::Nanoseconds now, int /*rank*/) override {
    if (computing_ > 0 || static_cast<double>(now - since_) <= longest_ns_) return;
    std::ostringstream text;
    text << "the simulated run stands still: nobody has computed for " << longest_ns_ * 1e-9
         << " s, and the end does not come";
    throw std::runtime_error(text.str());
  }

 private:
  void go_on(belay::sim::Nanoseconds now) { since_ = std::max(since_, now); }

  belay::sim::Costs costs_;
  std::int64_t computing_;  // workers of all nodes together, which begin so
  double longest_ns_;
  belay::sim::Nanoseconds since_ = 0;
};

}  // namespace bench
