#include "belay/core/timeline.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace belay::test {
namespace {

constexpr std::int64_t kStart = 1'000'000'000;

double of(const Timeline& timeline, ThreadState state) {
  return timeline.story().total()[static_cast<std::size_t>(state)] * 1e9;
}

TEST(Timeline, IsIdleFromTheStartUntilItSaysOtherwise) {
  Timeline timeline(kStart, 0);
  timeline.enter(ThreadState::computing, kStart + 30);
  timeline.enter(ThreadState::stealing, kStart + 130);
  timeline.close(kStart + 1130);
  EXPECT_NEAR(of(timeline, ThreadState::idle), 30, 1e-6);
  EXPECT_NEAR(of(timeline, ThreadState::computing), 100, 1e-6);
  EXPECT_NEAR(of(timeline, ThreadState::stealing), 1000, 1e-6);
}

TEST(Timeline, TheSameStateAgainGoesOn) {
  Timeline timeline(kStart, 10);
  timeline.enter(ThreadState::computing, kStart + 30);
  timeline.count_tasks(5, kStart + 40);
  timeline.enter(ThreadState::computing, kStart + 50);
  EXPECT_EQ(timeline.since_ns(), kStart + 30);
  timeline.count_tasks(6, kStart + 60);
  timeline.close(kStart + 70);
  const auto trace = timeline.take_trace();
  ASSERT_EQ(trace.events.size(), 2U);
  EXPECT_EQ(trace.events[0].length_ns, 30);
  EXPECT_EQ(trace.events[0].detail, static_cast<std::uint8_t>(ThreadState::idle));
  EXPECT_EQ(trace.events[1].at_ns, kStart + 30);
  EXPECT_EQ(trace.events[1].length_ns, 40);
  EXPECT_EQ(trace.events[1].tasks, 11U);
  EXPECT_EQ(timeline.story().tasks(0), 11U);
}

TEST(Timeline, WithoutATraceKeepsNoEvent) {
  Timeline timeline(kStart, 0);
  timeline.enter(ThreadState::computing, kStart + 30);
  timeline.record({.at_ns = kStart + 40, .kind = TraceEvent::Kind::steal});
  timeline.close(kStart + 50);
  EXPECT_FALSE(timeline.traced());
  const auto trace = timeline.take_trace();
  EXPECT_TRUE(trace.events.empty());
  EXPECT_EQ(trace.dropped, 0U);
}

TEST(TraceRing, KeepsTheLatestInOrderAndCountsTheOthers) {
  for (const std::int64_t count : {3, 4, 5, 9, 11}) {
    TraceRing ring(4);
    for (std::int64_t i = 0; i < count; ++i) ring.record({.at_ns = i});
    const auto trace = ring.take();
    const auto kept = static_cast<std::int64_t>(trace.events.size());
    EXPECT_EQ(kept, std::min<std::int64_t>(count, 4));
    EXPECT_EQ(trace.dropped, static_cast<std::uint64_t>(count - kept));
    for (std::int64_t i = 0; i < kept; ++i) {
      EXPECT_EQ(trace.events[static_cast<std::size_t>(i)].at_ns, count - kept + i);
    }
  }
}

TEST(RankTrace, BringsTimesToRankZerosClock) {
  RankTrace trace;
  // Ahead by 100 before the run and by 300, two thousand ns later.
  trace.first = {.at_ns = 1000, .ahead_ns = 100, .error_ns = 1};
  trace.last = {.at_ns = 3000, .ahead_ns = 300, .error_ns = 1};
  EXPECT_EQ(trace.by_clock_of_root(1000), 900);
  EXPECT_EQ(trace.by_clock_of_root(2000), 1800);
  EXPECT_EQ(trace.by_clock_of_root(3000), 2700);
}

TEST(RankTrace, OneReadingIsEnoughForARunWithoutLength) {
  RankTrace trace;
  trace.first = trace.last = {.at_ns = 1000, .ahead_ns = -50, .error_ns = 1};
  EXPECT_EQ(trace.by_clock_of_root(1000), 1050);
}

}  // namespace
}  // namespace belay::test
