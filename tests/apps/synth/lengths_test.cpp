#include "apps/synth/lengths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace apps {
namespace {

constexpr std::size_t kCount = 200'000;

// Sorted, in us.
std::vector<double> sample(const LengthParameters& parameters) {
  const Lengths lengths(parameters);
  std::vector<double> all(kCount);
  for (std::size_t i = 0; i < kCount; ++i) all[i] = static_cast<double>(lengths.ns(i)) / 1000;
  std::ranges::sort(all);
  return all;
}

double mean(const std::vector<double>& all) {
  double sum = 0;
  for (const double length : all) sum += length;
  return sum / kCount;
}

double median(const std::vector<double>& all) { return all[kCount / 2]; }

TEST(Lengths, AreAPureFunctionOfSeedAndIndex) {
  const Lengths lengths({.seed = 7});
  EXPECT_EQ(lengths.ns(1'000'000'000'000), Lengths({.seed = 7}).ns(1'000'000'000'000));
  EXPECT_NE(lengths.ns(5), lengths.ns(6));
  EXPECT_NE(lengths.ns(5), Lengths({.seed = 8}).ns(5));
}

TEST(Lengths, ConstantIsTheMean) {
  const auto all = sample({.law = LengthLaw::constant, .mean_us = 2.5});
  EXPECT_EQ(all.front(), 2.5);
  EXPECT_EQ(all.back(), 2.5);
}

TEST(Lengths, UniformReachesFromZeroToTwiceTheMean) {
  const auto all = sample({.law = LengthLaw::uniform, .mean_us = 100});
  EXPECT_NEAR(mean(all), 100, 1);
  EXPECT_NEAR(median(all), 100, 1);
  EXPECT_LT(all.front(), 0.1);
  EXPECT_GT(all.back(), 199.9);
  EXPECT_LE(all.back(), 200);
}

TEST(Lengths, ExponentialHasItsMeanAndMedian) {
  const auto all = sample({.law = LengthLaw::exponential, .mean_us = 100});
  EXPECT_NEAR(mean(all), 100, 1);
  EXPECT_NEAR(median(all), 69.31, 1);  // ln 2
}

TEST(Lengths, ParetoHasItsMeanMedianAndLeast) {
  const auto all = sample({.law = LengthLaw::pareto, .mean_us = 100, .pareto_shape = 3});
  EXPECT_NEAR(mean(all), 100, 2);
  EXPECT_NEAR(all.front(), 66.67, 0.01);
  EXPECT_NEAR(median(all), 84.0, 1);  // 2^(1/3) of the least
}

TEST(Lengths, BimodalHasTwoLengths) {
  const auto all =
      sample({.law = LengthLaw::bimodal, .mean_us = 109, .long_share = 0.1, .long_ratio = 100});
  EXPECT_EQ(all.front(), 10);
  EXPECT_EQ(all.back(), 1000);
  const auto longer = std::ranges::count_if(all, [](double length) { return length > 10; });
  EXPECT_NEAR(static_cast<double>(longer), 0.1 * kCount, 0.01 * kCount);
  EXPECT_EQ(std::ranges::count(all, 10.0) + std::ranges::count(all, 1000.0), kCount);
}

TEST(Lengths, LawsWithoutBoundsStopAtAnHour) {
  const auto all = sample({.law = LengthLaw::pareto, .mean_us = 1e7, .pareto_shape = 1.01});
  EXPECT_LE(all.back(), 3.6e9);
}

}  // namespace
}  // namespace apps
