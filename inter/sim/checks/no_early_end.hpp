// NoEarlyEnd: nobody takes a success for decided while a task or loot exists.
//
// Counts what exists, O(1) per event: tasks, wherever they are, and loot messages sent and not
// yet received.
#pragma once

#include <cstdint>

#include "belay/core/errors.hpp"
#include "belay/inter/sim/observer.hpp"

namespace belay::sim {

class NoEarlyEnd final : public Observer {
 public:
  void handle_initial_work(Nanoseconds, int, ChunkId, std::uint64_t tasks) override {
    tasks_ += static_cast<std::int64_t>(tasks);
  }
  void handle_worked(Nanoseconds now, int rank, std::uint64_t done,
                     std::uint64_t spawned) override {
    tasks_ += static_cast<std::int64_t>(spawned) - static_cast<std::int64_t>(done);
    BELAY_CHECK(tasks_ >= 0, tasks_, rank, now);
  }
  void handle_sent(Nanoseconds, const Envelope& envelope) override {
    if (envelope.message.kind == MessageKind::loot) ++loot_;
  }
  void handle_received(Nanoseconds, const Envelope& envelope) override {
    if (envelope.message.kind == MessageKind::loot) --loot_;
  }
  void handle_discarded(Nanoseconds, int, std::uint64_t tasks) override {
    tasks_ -= static_cast<std::int64_t>(tasks);
  }
  void handle_decided(Nanoseconds now, int rank, RunOutcome outcome, int) override {
    if (outcome != RunOutcome::success) return;
    BELAY_CHECK(tasks_ == 0, tasks_, rank, now);
    BELAY_CHECK(loot_ == 0, loot_, rank, now);
  }

 private:
  std::int64_t tasks_ = 0;
  std::int64_t loot_ = 0;
};

}  // namespace belay::sim
