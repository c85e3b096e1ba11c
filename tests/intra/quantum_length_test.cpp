#include "belay/intra/quantum_length.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace belay::test {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr nanoseconds kShortQuantum{kShortQuantumNs};
constexpr nanoseconds kLongQuantum{kLongQuantumNs};
constexpr nanoseconds kMuchWork{kMuchWorkNs};

// A quantum of the present length, each task as long as given.
void run_quantum(QuantumLength& length, nanoseconds per_task, bool enough = true) {
  length.learn(length.tasks(), per_task * length.tasks(), enough);
}

QuantumLength grown(nanoseconds per_task, bool enough = true) {
  QuantumLength length(0);
  for (int i = 0; i < 100; ++i) run_quantum(length, per_task, enough);
  return length;
}

TEST(QuantumLength, AdaptiveOneStartsAtOneTask) {
  const QuantumLength length(0);
  EXPECT_TRUE(length.adaptive());
  EXPECT_EQ(length.tasks(), 1U);
}

TEST(QuantumLength, TasksAreCoarseFromTheLongestQuantumOn) {
  QuantumLength length(0);
  EXPECT_FALSE(length.coarse());
  length.learn(1, kLongQuantum - nanoseconds(1), true);
  EXPECT_FALSE(length.coarse());
  length.learn(4, 4 * kLongQuantum, true);
  EXPECT_TRUE(length.coarse());
  length.learn(1000, microseconds(20), true);
  EXPECT_FALSE(length.coarse());
}

TEST(QuantumLength, AdaptiveOneAtMostDoubles) {
  QuantumLength length(0);
  std::uint32_t before = length.tasks();
  for (int i = 0; i < 40; ++i) {
    run_quantum(length, nanoseconds(1));
    EXPECT_LE(length.tasks(), 2 * before);
    before = length.tasks();
  }
}

TEST(QuantumLength, AdaptiveOneDoublesWhileItIsFarFromItsAim) {
  QuantumLength length(0);
  for (const std::uint32_t expected : {2U, 4U, 8U, 16U}) {
    run_quantum(length, nanoseconds(10));
    EXPECT_EQ(length.tasks(), expected);
  }
}

TEST(QuantumLength, AimsAtAShortTimeWhileTheDequeShowsTooLittle) {
  EXPECT_EQ(grown(nanoseconds(10), false).tasks(), kShortQuantum / nanoseconds(10));
  EXPECT_EQ(grown(nanoseconds(10), true).tasks(), kLongQuantum / nanoseconds(10));
}

TEST(QuantumLength, ShrinksAtOnce) {
  QuantumLength length = grown(nanoseconds(10));
  run_quantum(length, microseconds(25));
  EXPECT_EQ(length.tasks(), 2U);
  length = grown(nanoseconds(10));
  run_quantum(length, microseconds(5), false);
  EXPECT_EQ(length.tasks(), 1U);
}

TEST(QuantumLength, HasAtLeastOneTaskHoweverLong) {
  QuantumLength length = grown(nanoseconds(10));
  run_quantum(length, hours(10));
  EXPECT_EQ(length.tasks(), 1U);
  run_quantum(length, hours(10), false);
  EXPECT_EQ(length.tasks(), 1U);
}

TEST(QuantumLength, TasksTooShortToMeasureCountAsANanosecond) {
  EXPECT_EQ(grown(nanoseconds(0)).tasks(), kLongQuantumNs);
}

TEST(QuantumLength, NeverExceedsItsMost) {
  QuantumLength length(0);
  for (int i = 0; i < 100; ++i) {
    length.learn(std::numeric_limits<std::uint32_t>::max(), nanoseconds(0), true);
    ASSERT_LE(length.tasks(), QuantumLength::kMost);
  }
}

TEST(QuantumLength, QuantumThatRanNothingTeachesNothing) {
  QuantumLength length = grown(nanoseconds(10));
  const auto before = length.tasks();
  length.learn(0, hours(1), true);
  EXPECT_EQ(length.tasks(), before);
}

TEST(QuantumLength, QuantumCutShortTeachesItsTimePerTask) {
  QuantumLength length = grown(nanoseconds(10));
  length.learn(1, nanoseconds(10), true);
  EXPECT_EQ(length.tasks(), kLongQuantum / nanoseconds(10));
}

// The fewest tasks of a bag that is worth splitting.
std::size_t fewest(const QuantumLength& length) {
  std::size_t tasks = 0;
  while (!length.worth_splitting(tasks)) ++tasks;
  return tasks;
}

TEST(QuantumLength, BagIsWorthSplittingThatHasManyTasksOrMuchWork) {
  EXPECT_EQ(fewest(QuantumLength(0)), 2U) << "as nothing is known";
  EXPECT_EQ(fewest(grown(nanoseconds(1))), kManyTasks);
  EXPECT_EQ(fewest(grown(kMuchWork / 5)), 5U);
  EXPECT_EQ(fewest(grown(kMuchWork)), 2U);
  EXPECT_EQ(fewest(grown(hours(1))), 2U);
}

TEST(QuantumLength, LongTasksAreRememberedForSomeQuanta) {
  QuantumLength length = grown(nanoseconds(1));
  length.learn(1, 2 * kMuchWork, true);
  for (const std::size_t expected : {2U, 2U, 2U, 4U, 8U, 12U}) {
    EXPECT_EQ(fewest(length), expected);
    run_quantum(length, nanoseconds(1));
  }
}

TEST(QuantumLength, FewTasksAreFortyOrFillTheLongestQuantum) {
  EXPECT_EQ(QuantumLength(0).few(), 1U) << "as nothing is known";
  EXPECT_EQ(grown(nanoseconds(1)).few(), kFewTasks);
  EXPECT_EQ(grown(kLongQuantum / 8).few(), 8U);
  EXPECT_EQ(grown(hours(1)).few(), 1U);
  QuantumLength fixed(7);
  fixed.learn(7, 7 * kLongQuantum / 8, true);
  EXPECT_EQ(fixed.few(), 8U);
  fixed.learn(0, hours(1), true);
  EXPECT_EQ(fixed.few(), 8U);
  fixed.learn(7, nanoseconds(7), true);
  EXPECT_EQ(fixed.few(), 16U) << "long ones are remembered";
}

TEST(QuantumLength, FixedOneNeverChanges) {
  for (const std::uint32_t fixed : {1U, 511U, std::numeric_limits<std::uint32_t>::max()}) {
    QuantumLength length(fixed);
    EXPECT_FALSE(length.adaptive());
    for (const auto time : {nanoseconds(0), nanoseconds(1'000'000), nanoseconds(hours(1))}) {
      length.learn(fixed, time, true);
      length.learn(1, time, false);
      EXPECT_EQ(length.tasks(), fixed);
      EXPECT_EQ(fewest(length), 2U);
    }
  }
}

}  // namespace
}  // namespace belay::test
