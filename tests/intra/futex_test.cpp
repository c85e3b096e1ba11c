#include "belay/intra/futex.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

#include "tests/intra/hang_guard.hpp"
#include "tests/intra/threads.hpp"

namespace belay::test {
namespace {

using std::chrono::nanoseconds;

TEST(Futex, DoesNotSleepWhenTheWordDiffers) {
  const HangGuard guard;
  std::atomic<std::uint32_t> word{1};
  futex_wait(word, 0);
  futex_wait(word, std::numeric_limits<std::uint32_t>::max());
}

TEST(Futex, ReturnsAtItsTimeout) {
  const HangGuard guard;
  std::atomic<std::uint32_t> word{0};
  futex_wait(word, 0, nanoseconds(0));
  futex_wait(word, 0, nanoseconds(1));
  futex_wait(word, 0, std::chrono::milliseconds(2));
}

TEST(Futex, NegativeTimeoutReturnsAtOnce) {
  const HangGuard guard;
  std::atomic<std::uint32_t> word{0};
  futex_wait(word, 0, nanoseconds(-1));
  futex_wait(word, 0, std::chrono::seconds(-5));
}

TEST(Futex, WakesNoMoreThanItIsTold) {
  constexpr int kSleepers = 5;
  const HangGuard guard;
  std::atomic<std::uint32_t> word{0};
  std::atomic<int> woken{0};
  Threads sleepers(kSleepers, [&](int) {
    futex_wait(word, 0);
    ++woken;
  });
  sleepers.await_asleep();
  futex_wake(word, 2);
  await([&] { return woken == 2; });
  futex_wake(word, 1);
  await([&] { return woken == 3; });
  futex_wake(word, 0);
  futex_wake(word, kWakeAll);
  sleepers.join();
  EXPECT_EQ(woken, kSleepers);
}

TEST(Futex, WakingNobodyDoesNothing) {
  std::atomic<std::uint32_t> word{0};
  futex_wake(word, 1);
  futex_wake(word, kWakeAll);
  EXPECT_EQ(word, 0U);
}

}  // namespace
}  // namespace belay::test
