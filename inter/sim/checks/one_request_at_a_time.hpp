// OneRequestAtATime: at most one random-or-lifeline request and one prefetch of a node are
// unanswered, and each is answered once, by whom it was sent to. A remembered lifeline counts as
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
  explicit OneRequestAtATime(int nodes) : asked_(static_cast<std::size_t>(nodes), kNobody) {}

  void handle_sent(Nanoseconds now, const Envelope& envelope) override {
    if (envelope.message.kind != MessageKind::request) return;
    int& asked = victim(envelope.from, envelope.message.request);
    BELAY_CHECK(asked == -1, asked, envelope.from, envelope.to, now);
    asked = envelope.to;
  }
  void handle_received(Nanoseconds now, const Envelope& envelope) override {
    if (!is_answer(envelope.message)) return;
    int& asked = victim(envelope.to, envelope.message.request);
    BELAY_CHECK(asked == envelope.from, asked, envelope.from, envelope.to, now);
    asked = -1;
  }
  void handle_done(Nanoseconds now, int rank) override {
    for (const int asked : asked_[static_cast<std::size_t>(rank)]) {
      BELAY_CHECK(asked == -1, asked, rank, now);
    }
  }

 private:
  using Asked = std::array<int, 2>;  // for work at once, for a prefetch; -1: nobody
  static constexpr Asked kNobody = {-1, -1};

  [[nodiscard]] static bool is_answer(const Message& message) {
    return message.kind == MessageKind::refusal ||
           (message.kind == MessageKind::loot && !message.late);
  }
  int& victim(int rank, RequestKind kind) {
    return asked_[static_cast<std::size_t>(rank)][kind == RequestKind::prefetch ? 1 : 0];
  }

  std::vector<Asked> asked_;
};

}  // namespace belay::sim
