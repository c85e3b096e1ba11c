// TheEndComes: once everything is quiet, the end takes a bounded number of messages; and at no
// time does the cluster stand still.
//
// Quiet: no loot is under way, and no task exists or all nodes know the outcome. What is still
// sent from then on, with P nodes and a combining tree of depth D:
//
//   in votes and asks  a round already begun, then two that agree, then one or, after a failure,
//                      two that drain; each a vote and an ask on every edge; and the ask to leave
//   in requests        per node w random ones, one for each lifeline, one prefetch, and what was
//                      asked before; each with its answer. Without lifelines: as many as its
//                      policy's back-off allows in the time that the votes take
//   in reports         each mishap goes up at most D edges
//
// Standing still: no task was done, no loot sent or received, no outcome learned for longer than
// all that takes when one message waits for the other.
//
// O(1) per event.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "belay/core/errors.hpp"
#include "belay/inter/protocol/back_off.hpp"
#include "belay/inter/protocol/termination.hpp"
#include "belay/inter/sim/observer.hpp"
#include "belay/inter/sim/simulation_options.hpp"

namespace belay::sim {

class TheEndComes final : public Observer {
 public:
  explicit TheEndComes(const SimulationOptions& options)
      : nodes_(options.nodes),
        costs_(options.costs),
        most_messages_(most_messages(options)),
        longest_pause_(longest_pause(options)),
        deadline_(longest_pause_) {}

  // Of a tree of arity kTreeArity over so many ranks, in edges.
  [[nodiscard]] static int depth(int nodes) {
    int depth = 0;
    for (int rank = nodes - 1; rank > 0; rank = (rank - 1) / Termination::kTreeArity) ++depth;
    return depth;
  }

  [[nodiscard]] static std::int64_t most_messages(const SimulationOptions& options) {
    const std::int64_t nodes = options.nodes;
    const std::int64_t edges = nodes - 1;
    const std::int64_t requests = 3 + requests_in_a_row(options) * rows(options);
    const auto mishaps = static_cast<std::int64_t>(options.mishaps.size());
    return edges * (2 * kRounds + 1) + nodes * 2 * requests + mishaps * depth(options.nodes);
  }

  [[nodiscard]] static Nanoseconds longest_pause(const SimulationOptions& options) {
    const Costs& costs = options.costs;
    const auto slowest = options.slowness.empty()
                             ? 1U
                             : *std::max_element(options.slowness.begin(), options.slowness.end());
    const Nanoseconds hop =
        longest_latency(costs) + 2 * costs.grid +
        slowest * (std::max({costs.pick_up, costs.idle_pick_up, costs.wake_up}) + costs.grid) +
        slowest * (costs.look + options.nodes * costs.service + costs.held_up);
    const Nanoseconds shown = static_cast<Nanoseconds>(options.chunks_shown);
    const Nanoseconds quantum =
        options.quantum > 0 ? options.quantum * costs.task : options.most_ahead + costs.task;
    const Nanoseconds step = slowest * (quantum + 2 * shown * costs.publish + costs.local_steal +
                                        costs.wake_up + costs.spin + costs.grid);
    const int hops = 2 * kRounds * (depth(options.nodes) + 1) + 2 * requests_in_a_row(options);
    return 2 * (hops * hop + step);
  }

  // Messages sent since all was quiet.
  [[nodiscard]] std::int64_t messages() const noexcept { return messages_; }

  void handle_initial_work(Nanoseconds, int, ChunkId, std::uint64_t tasks) override {
    tasks_ += static_cast<std::int64_t>(tasks);
  }
  void handle_worked(Nanoseconds now, int, std::uint64_t done, std::uint64_t spawned) override {
    tasks_ += static_cast<std::int64_t>(spawned) - static_cast<std::int64_t>(done);
    go_on(now);
  }
  void handle_mishap(Nanoseconds now, int, RunOutcome) override { go_on(now); }
  void handle_sent(Nanoseconds now, const Envelope& envelope) override {
    if (envelope.message.kind == MessageKind::loot) {
      ++loot_;
      go_on(now + transfer_time(costs_, envelope.tasks));
    }
    messages_ = quiet() ? messages_ + 1 : 0;
    BELAY_CHECK(messages_ <= most_messages_, messages_, nodes_, now);
    BELAY_CHECK(now <= deadline_, now, deadline_, nodes_);
  }
  void handle_received(Nanoseconds now, const Envelope& envelope) override {
    if (envelope.message.kind != MessageKind::loot) return;
    --loot_;
    go_on(now);
  }
  void handle_discarded(Nanoseconds, int, std::uint64_t tasks) override {
    tasks_ -= static_cast<std::int64_t>(tasks);
  }
  void handle_decided(Nanoseconds now, int, RunOutcome, int) override {
    ++decided_;
    go_on(now);
  }
  void handle_done(Nanoseconds now, int) override { go_on(now); }
  void handle_look(Nanoseconds now, int rank) override {
    BELAY_CHECK(now <= deadline_, now, deadline_, rank);
  }

 private:
  static constexpr int kRounds = 5;

  // Before a node falls silent, for good or to back off.
  [[nodiscard]] static int requests_in_a_row(const SimulationOptions& options) {
    if (options.protocol.policy == PolicyKind::ring) return options.nodes - 1;
    return options.protocol.random_steals + options.protocol.lifelines;
  }
  // How often it starts again: as its back-off grows, then at its longest.
  [[nodiscard]] static std::int64_t rows(const SimulationOptions& options) {
    if (options.protocol.policy == PolicyKind::lifeline) return 1;
    constexpr int kGrowing = 8;
    return kGrowing + longest_pause(options) / BackOff::kLongestNs;
  }

  [[nodiscard]] bool quiet() const noexcept {
    return loot_ == 0 && (tasks_ == 0 || decided_ == nodes_);
  }
  void go_on(Nanoseconds from) { deadline_ = std::max(deadline_, from + longest_pause_); }

  int nodes_;
  Costs costs_;
  std::int64_t most_messages_;
  Nanoseconds longest_pause_;
  Nanoseconds deadline_;
  std::int64_t tasks_ = 0;
  std::int64_t loot_ = 0;
  int decided_ = 0;
  std::int64_t messages_ = 0;
};

}  // namespace belay::sim
