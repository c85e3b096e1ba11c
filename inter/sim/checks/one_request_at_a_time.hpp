// OneRequestAtATime: at most one random-or-lifeline request and one prefetch of a node are
// unanswered, and each is answered once, wherever it was forwarded. A remembered one counts as
// answered. O(1) per event.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "belay/core/errors.hpp"
#include "belay/inter/sim/observer.hpp"

namespace belay::sim {

class OneRequestAtATime final : public Observer {
 public:
  explicit OneRequestAtATime(int nodes) : asked_(static_cast<std::size_t>(nodes)) {}

  void handle_sent(Nanoseconds now, const Envelope& envelope) override {
    const Message& message = envelope.message;
    if (message.kind != MessageKind::request || message.hops > 0) return;
    bool& asked = asked_by(envelope.from, message.request);
    BELAY_CHECK(!asked, envelope.from, envelope.to, now);
    asked = true;
  }
  void handle_received(Nanoseconds now, const Envelope& envelope) override {
    if (!is_answer(envelope.message)) return;
    bool& asked = asked_by(envelope.to, envelope.message.request);
    BELAY_CHECK(asked, envelope.from, envelope.to, now);
    asked = false;
  }
  void handle_done(Nanoseconds now, int rank) override {
    for (const bool asked : asked_[static_cast<std::size_t>(rank)]) BELAY_CHECK(!asked, rank, now);
  }

 private:
  using Asked = std::array<bool, 2>;  // for work at once, for a prefetch

  [[nodiscard]] static bool is_answer(const Message& message) {
    return message.kind == MessageKind::refusal ||
           (message.kind == MessageKind::loot && !message.late);
  }
  bool& asked_by(int rank, RequestKind kind) {
    return asked_[static_cast<std::size_t>(rank)][kind == RequestKind::prefetch ? 1 : 0];
  }

  std::vector<Asked> asked_;
};

}  // namespace belay::sim
