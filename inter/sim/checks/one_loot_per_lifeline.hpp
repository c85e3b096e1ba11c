// OneLootPerLifeline: at any time at most one loot is under way on a lifeline, from the one who
// remembers to the one who is remembered. O(1) per event.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "belay/core/errors.hpp"
#include "belay/inter/sim/observer.hpp"

namespace belay::sim {

class OneLootPerLifeline final : public Observer {
 public:
  void handle_sent(Nanoseconds now, const Envelope& envelope) override {
    if (!on_lifeline(envelope)) return;
    const bool is_only_one = under_way_.insert(pair(envelope)).second;
    BELAY_CHECK(is_only_one, envelope.from, envelope.to, now);
  }
  void handle_received(Nanoseconds, const Envelope& envelope) override {
    if (on_lifeline(envelope)) under_way_.erase(pair(envelope));
  }

 private:
  [[nodiscard]] static bool on_lifeline(const Envelope& envelope) {
    return envelope.message.kind == MessageKind::loot &&
           envelope.message.request == RequestKind::lifeline;
  }
  [[nodiscard]] static std::uint64_t pair(const Envelope& envelope) {
    return (static_cast<std::uint64_t>(envelope.from) << 32U) |
           static_cast<std::uint32_t>(envelope.to);
  }

  std::unordered_set<std::uint64_t> under_way_;
};

}  // namespace belay::sim
