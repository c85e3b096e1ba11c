#include "belay/core/durations.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace belay::test {
namespace {

TEST(Durations, QuantileIsWithinTheWidthOfABucket) {
  for (std::int64_t ns = 64; ns < 200'000'000'000; ns = ns * 21 / 20 + 1) {
    Durations durations;
    durations.add(ns);
    const auto found = static_cast<double>(durations.quantile(0.5));
    EXPECT_NEAR(found / static_cast<double>(ns), 1, 0.13) << ns;
  }
}

TEST(Durations, QuantilesSplitThem) {
  Durations durations;
  for (int i = 0; i < 90; ++i) durations.add(1'000);
  for (int i = 0; i < 10; ++i) durations.add(1'000'000);
  EXPECT_NEAR(static_cast<double>(durations.quantile(0.5)), 1'000, 130);
  EXPECT_NEAR(static_cast<double>(durations.quantile(0.9)), 1'000, 130);
  EXPECT_NEAR(static_cast<double>(durations.quantile(0.91)), 1'000'000, 130'000);
  EXPECT_EQ(durations.count(), 100U);
}

TEST(Durations, OfNothingAreZero) {
  EXPECT_EQ(Durations().quantile(0.5), 0);
  EXPECT_EQ(Durations().count(), 0U);
}

TEST(Durations, WhatIsOutOfRangeCountsAtItsEnds) {
  Durations durations;
  durations.add(-5);
  durations.add(0);
  durations.add(INT64_MAX);
  EXPECT_EQ(durations.count(), 3U);
  EXPECT_LT(durations.quantile(0.5), 80);
}

TEST(Durations, AddUp) {
  Durations a;
  Durations b;
  Durations both;
  a.add(100);
  b.add(5000);
  both.add(100);
  both.add(5000);
  a.add(b);
  EXPECT_EQ(a, both);
}

}  // namespace
}  // namespace belay::test
