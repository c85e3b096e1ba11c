#include "apps/common/work.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace apps {
namespace {

using std::chrono::nanoseconds;

nanoseconds time_of(Work work, nanoseconds length) {
  const auto start = std::chrono::steady_clock::now();
  work_off(work, length);
  return std::chrono::steady_clock::now() - start;
}

TEST(Work, TakesNoLessThanItsTime) {
  for (const Work work : {Work::busy, Work::sleep}) {
    EXPECT_GE(time_of(work, nanoseconds(200'000)), nanoseconds(200'000));
  }
}

TEST(Work, NoneTakesNoneHoweverLong) {
  EXPECT_LT(time_of(Work::none, std::chrono::hours(1)), std::chrono::minutes(1));
}

TEST(Work, MicrosecondsBecomeTheNearestNanosecond) {
  EXPECT_EQ(from_us(0), nanoseconds(0));
  EXPECT_EQ(from_us(0.0014), nanoseconds(1));
  EXPECT_EQ(from_us(kMaxTaskUs), std::chrono::seconds(10));
}

}  // namespace
}  // namespace apps
