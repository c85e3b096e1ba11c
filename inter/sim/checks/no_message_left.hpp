// NoMessageLeft: a message comes to no node that is done, and when all are done none is under
// way. O(1) per event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "belay/core/errors.hpp"
#include "belay/inter/sim/observer.hpp"

namespace belay::sim {

class NoMessageLeft final : public Observer {
 public:
  explicit NoMessageLeft(int nodes) : done_(static_cast<std::size_t>(nodes), false) {}

  void handle_sent(Nanoseconds now, const Envelope& envelope) override {
    ++under_way_;
    BELAY_CHECK(!is_done(envelope.from), envelope.from, envelope.to, now);
  }
  void handle_arrived(Nanoseconds now, const Envelope& envelope) override {
    BELAY_CHECK(!is_done(envelope.to), envelope.from, envelope.to, now);
  }
  void handle_received(Nanoseconds now, const Envelope& envelope) override {
    --under_way_;
    BELAY_CHECK(!is_done(envelope.to), envelope.from, envelope.to, now);
  }
  void handle_done(Nanoseconds, int rank) override { done_[static_cast<std::size_t>(rank)] = true; }
  void handle_end(Nanoseconds now) override { BELAY_CHECK(under_way_ == 0, under_way_, now); }

 private:
  [[nodiscard]] bool is_done(int rank) const { return done_[static_cast<std::size_t>(rank)]; }

  std::vector<bool> done_;
  std::int64_t under_way_ = 0;
};

}  // namespace belay::sim
