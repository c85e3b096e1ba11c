// NothingAfterTheDecision: a node that knows the outcome sends no request and no loot; otherwise
// the counts of the votes that drain would not be final. O(1) per event.
#pragma once

#include <cstddef>
#include <vector>

#include "belay/core/errors.hpp"
#include "belay/inter/sim/observer.hpp"

namespace belay::sim {

class NothingAfterTheDecision final : public Observer {
 public:
  explicit NothingAfterTheDecision(int nodes) : decided_(static_cast<std::size_t>(nodes), false) {}

  void handle_sent(Nanoseconds now, const Envelope& envelope) override {
    const MessageKind kind = envelope.message.kind;
    if (kind != MessageKind::request && kind != MessageKind::loot) return;
    const bool is_decided = decided_[static_cast<std::size_t>(envelope.from)];
    BELAY_CHECK(!is_decided, envelope.from, envelope.to, now);
  }
  void handle_decided(Nanoseconds, int rank, RunOutcome, int) override {
    decided_[static_cast<std::size_t>(rank)] = true;
  }

 private:
  std::vector<bool> decided_;
};

}  // namespace belay::sim
