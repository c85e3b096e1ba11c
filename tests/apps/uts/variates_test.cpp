#include "apps/uts/variates.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <tuple>

namespace apps {
namespace {

constexpr int kDraws = 200'000;

// Draws must have this mean and this variance, within five standard errors. excess: the law's
// kurtosis less 3.
template <class Draw>
void expect_law(Draw&& draw, double mean, double variance, double excess) {
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double deviation = static_cast<double>(draw()) - mean;
    sum += deviation;
    squares += deviation * deviation;
  }
  EXPECT_LE(std::abs(sum / kDraws), 5 * std::sqrt(variance / kDraws));
  EXPECT_LE(std::abs(squares / kDraws - variance), 5 * variance * std::sqrt((2 + excess) / kDraws));
}

// On both sides of where terms are no longer drawn one by one, and of where the rejection methods
// begin.
class Sum : public testing::TestWithParam<std::tuple<std::uint64_t, double>> {
 protected:
  const double n_ = static_cast<double>(std::get<0>(GetParam()));
  const double p_ = std::get<1>(GetParam());
};

TEST_P(Sum, OfThrowsHasTheMomentsOfTheBinomialLaw) {
  Variates variates(1);
  const double variance = n_ * p_ * (1 - p_);
  expect_law([&] { return variates.binomial(std::get<0>(GetParam()), p_); }, n_ * p_, variance,
             (1 - 6 * p_ * (1 - p_)) / variance);
}

TEST_P(Sum, OfFailuresHasTheMomentsOfTheNegativeBinomialLaw) {
  Variates variates(2);
  const double mean = n_ * (1 - p_) / p_;
  expect_law([&] { return variates.negative_binomial(std::get<0>(GetParam()), p_); }, mean,
             mean / p_, 6 / n_ + p_ * p_ / (n_ * (1 - p_)));
}

INSTANTIATE_TEST_SUITE_P(Variates, Sum,
                         testing::Combine(testing::Values(1U, 16U, 17U, 100U, 1'000'000'000U),
                                          testing::Values(0.02, 0.2381, 0.5, 0.9)));

TEST(Variates, AreBitsThatAreSetIndependently) {
  Variates variates(4);
  for (const double p : {0.02, 0.25, 0.4999999995, 0.5, 0.9}) {
    const double variance = 64 * p * (1 - p);
    expect_law([&] { return std::popcount(variates.bits(p)); }, 64 * p, variance,
               (1 - 6 * p * (1 - p)) / variance);
    // Each of 32 with its neighbour.
    const double both = p * p;
    expect_law(
        [&] {
          const std::uint64_t bits = variates.bits(p);
          return std::popcount(bits & (bits >> 1U) & 0x5555555555555555U);
        },
        32 * both, 32 * both * (1 - both), (1 - 6 * both * (1 - both)) / (32 * both * (1 - both)));
  }
  EXPECT_EQ(variates.bits(0), 0U);
  EXPECT_EQ(variates.bits(0x1p-200), 0U);
}

TEST(Variates, AreUniformOnZeroToOneWithoutOne) {
  Variates variates(3);
  const auto draw = [&] {
    const double value = variates.uniform();
    EXPECT_GE(value, 0);
    EXPECT_LT(value, 1);
    return value;
  };
  expect_law(draw, 0.5, 1.0 / 12, -1.2);
}

TEST(Variates, OfNoThrowNoneSucceeds) {
  Variates variates(4);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(variates.binomial(0, 0.5), 0U);
}

TEST(Variates, ImpossibleThrowsFailAndCertainOnesSucceed) {
  Variates variates(5);
  for (const std::uint64_t n : {1U, 16U, 17U, 1000U, 4'000'000'000U}) {
    EXPECT_EQ(variates.binomial(n, 0), 0U) << n;
    EXPECT_EQ(variates.binomial(n, 1), n) << n;
    EXPECT_EQ(variates.negative_binomial(n, 1), 0U) << n;
  }
}

TEST(Variates, AreTheSameOfTheSameSeed) {
  Variates one(6);
  Variates same(6);
  Variates other(7);
  const std::uint64_t drawn = one.binomial(1'000'000'000'000, 0.5);
  EXPECT_EQ(same.binomial(1'000'000'000'000, 0.5), drawn);
  EXPECT_NE(other.binomial(1'000'000'000'000, 0.5), drawn);
}

}  // namespace
}  // namespace apps
