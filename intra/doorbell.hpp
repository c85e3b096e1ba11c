// Doorbell: how workers wake the communication thread.
//
// ring() is for any thread, after it changed what the communication thread should look at;
// wait_for() is the communication thread's, which looks at everything after it returns. A ring
// between two waits makes the next one return at once, so none is lost; several count as one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "belay/intra/futex.hpp"

namespace belay {

class Doorbell {
 public:
  void ring() noexcept {
    // [doorbell.ring] release; pairs with [doorbell.answer]: what was changed before the ring
    // is visible after the wait.
    if (state_.exchange(kRung, std::memory_order_release) == kAsleep) futex_wake(state_, 1);
  }

  // Sleeps until a ring or the timeout (none: until a ring). True if it was rung.
  bool wait_for(std::optional<std::chrono::nanoseconds> timeout) noexcept {
    std::uint32_t quiet = kQuiet;
    // Relaxed: nothing is read on the strength of it; a ring in between makes it fail.
    if (state_.compare_exchange_strong(quiet, kAsleep, std::memory_order_relaxed)) {
      futex_wait(state_, kAsleep, timeout);
    }
    return answer();
  }

  // Takes note of a ring without waiting. True if there was one.
  bool answer() noexcept {
    // [doorbell.answer] acquire; pairs with [doorbell.ring].
    return state_.exchange(kQuiet, std::memory_order_acquire) == kRung;
  }

 private:
  static constexpr std::uint32_t kQuiet = 0;
  static constexpr std::uint32_t kRung = 1;
  static constexpr std::uint32_t kAsleep = 2;

  std::atomic<std::uint32_t> state_{kQuiet};
};

}  // namespace belay
