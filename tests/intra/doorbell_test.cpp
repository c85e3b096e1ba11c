#include "belay/intra/doorbell.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "tests/intra/hang_guard.hpp"
#include "tests/intra/rounds.hpp"
#include "tests/intra/threads.hpp"

namespace belay::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(Doorbell, RingBeforeTheWaitIsNotLost) {
  const HangGuard guard;
  Doorbell doorbell;
  doorbell.ring();
  EXPECT_TRUE(doorbell.wait_for(std::nullopt));
}

TEST(Doorbell, SeveralRingsCountAsOne) {
  Doorbell doorbell;
  doorbell.ring();
  doorbell.ring();
  doorbell.ring();
  EXPECT_TRUE(doorbell.wait_for(nanoseconds(0)));
  EXPECT_FALSE(doorbell.wait_for(nanoseconds(0)));
}

TEST(Doorbell, SilenceEndsAtTheTimeout) {
  const HangGuard guard;
  Doorbell doorbell;
  EXPECT_FALSE(doorbell.wait_for(nanoseconds(0)));
  EXPECT_FALSE(doorbell.wait_for(nanoseconds(1)));
  EXPECT_FALSE(doorbell.wait_for(milliseconds(2)));
}

TEST(Doorbell, RingAfterATimeoutIsHeard) {
  const HangGuard guard;
  Doorbell doorbell;
  EXPECT_FALSE(doorbell.wait_for(nanoseconds(1)));
  doorbell.ring();
  EXPECT_TRUE(doorbell.wait_for(std::nullopt));
}

TEST(Doorbell, AnswerTakesNoteOfARingOnce) {
  Doorbell doorbell;
  EXPECT_FALSE(doorbell.answer());
  doorbell.ring();
  EXPECT_TRUE(doorbell.answer());
  EXPECT_FALSE(doorbell.answer());
}

TEST(Doorbell, RingWakesASleeper) {
  const HangGuard guard;
  Doorbell doorbell;
  std::atomic<bool> rung{false};
  Threads sleeper(1, [&](int) { rung = doorbell.wait_for(std::nullopt); });
  sleeper.await_asleep();
  doorbell.ring();
  sleeper.join();
  EXPECT_TRUE(rung);
}

TEST(Doorbell, WhatWasChangedBeforeTheRingIsVisibleAfterTheWait) {
  const HangGuard guard;
  Doorbell doorbell;
  int message = 0;  // not atomic: the thread sanitizer sees a ring that does not order
  Threads ringer(1, [&](int) {
    message = 42;
    doorbell.ring();
  });
  EXPECT_TRUE(doorbell.wait_for(std::nullopt));
  EXPECT_EQ(message, 42);
}

TEST(Doorbell, NoRingIsLostInPingPong) {
  const HangGuard guard;
  Doorbell here;
  Doorbell there;
  int ball = 0;
  bool over = false;
  Threads partner(1, [&](int) {
    while (true) {
      while (!there.wait_for(std::nullopt)) {
      }
      if (over) return;
      ++ball;
      here.ring();
    }
  });
  Rounds rounds(10'000);
  while (rounds.next()) {
    ++ball;
    there.ring();
    while (!here.wait_for(std::nullopt)) {
    }
  }
  over = true;
  there.ring();
  partner.join();
  EXPECT_EQ(ball, 2 * rounds.index());
}

TEST(Doorbell, NoRingIsLostAmongManyRingers) {
  constexpr int kRingers = 4;
  const HangGuard guard;
  Doorbell doorbell;
  std::atomic<int> gone{0};
  Threads ringers(kRingers, [&](int ringer) {
    for (Rounds rounds(10'000); rounds.next();) {
      doorbell.ring();
      if (rounds.index() % 16 == ringer) std::this_thread::yield();
    }
    gone.fetch_add(1, std::memory_order_relaxed);
    doorbell.ring();
  });
  while (gone.load(std::memory_order_relaxed) < kRingers) doorbell.wait_for(std::nullopt);
}

TEST(Doorbell, TimeoutsAndRingsMayMeet) {
  // A ring that comes as the sleeper gives up is heard by this wait or by the next.
  const HangGuard guard;
  Doorbell doorbell;
  std::atomic<int> heard{0};
  std::atomic<bool> over{false};
  Threads ringer(1, [&](int) {
    for (Rounds rounds(2'000); rounds.next();) {
      doorbell.ring();
      await([&] { return heard == rounds.index() + 1; });
    }
    over = true;
  });
  for (int pause = 0; !over; ++pause) {
    if (doorbell.wait_for(nanoseconds(pause % 64 * 1000))) ++heard;
  }
  EXPECT_FALSE(doorbell.answer()) << "one ring is heard once";
}

}  // namespace
}  // namespace belay::test
