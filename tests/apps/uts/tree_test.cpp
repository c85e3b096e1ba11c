#include "apps/uts/tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/apps/uts/naive_uts.hpp"

namespace apps {
namespace {

constexpr std::uint32_t kLargest = 0x7fffffffU;

// The message with which the parameters are refused, or nothing.
std::string refusal(const TreeParameters& parameters) {
  try {
    parameters.validate();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

bool is_finite(const TreeParameters& parameters) {
  try {
    parameters.require_finite();
  } catch (const std::invalid_argument&) {
    return false;
  }
  return true;
}

TEST(ChildLaw, IsTheDefinitionOnRandomParameters) {
  std::mt19937 random(3);
  int checked = 0;
  while (checked < 2000) {
    const TreeParameters p = naive::random_parameters(random);
    if (!refusal(p).empty()) continue;
    ++checked;
    const ChildLaw law(p);
    for (const int depth : {0, 1, 2, 3, 4, 5, 6, 7, 20, 29, 30, 31, 1023, 1024, 5000}) {
      for (const std::uint32_t v : {0U, 1U, static_cast<std::uint32_t>(random()) & kLargest,
                                    static_cast<std::uint32_t>(random()) & kLargest, kLargest}) {
        ASSERT_EQ(static_cast<int>(law(v, depth)), naive::children(p, v, depth))
            << "type " << static_cast<int>(p.type) << " shape " << static_cast<int>(p.shape)
            << " b " << p.b0 << " d " << p.depth << " q " << p.q << " m " << p.m << " f "
            << p.shift_depth << " at depth " << depth << " random " << v;
      }
    }
  }
}

TEST(ChildLaw, GeometricCountsAgreeOnManyRandomValues) {
  std::mt19937 random(4);
  for (const double b : {0.5, 1.0, 2.0, 4.0, 6.0, 7.0, 100.0}) {
    const TreeParameters p{.b0 = b, .shape = Shape::fixed, .depth = 10};
    const ChildLaw law(p);
    for (int i = 0; i < 100'000; ++i) {
      const auto v = static_cast<std::uint32_t>(random()) & kLargest;
      ASSERT_EQ(static_cast<int>(law(v, 3)), naive::children(p, v, 3)) << b << ' ' << v;
    }
  }
}

TEST(ChildLaw, BinomialProbabilityIsExactToTheLastBit) {
  // q is 5 / 2^31 and a little on either side: values below it have children.
  const double exact = 5.0 / 2147483648.0;
  for (const double q : {exact, std::nextafter(exact, 0), std::nextafter(exact, 1)}) {
    const TreeParameters p{.type = TreeType::binomial, .q = q, .m = 3};
    const ChildLaw law(p);
    for (std::uint32_t v = 0; v < 10; ++v) {
      EXPECT_EQ(static_cast<int>(law(v, 1)), naive::children(p, v, 1)) << q << ' ' << v;
    }
  }
}

TEST(ChildLaw, CapSparesOnlyBinomialRootsAndBalancedTrees) {
  const TreeParameters binomial{.type = TreeType::binomial, .b0 = 2000.9, .q = 1, .m = 101};
  EXPECT_EQ(ChildLaw(binomial)(0, 0), 2000U);
  EXPECT_EQ(ChildLaw(binomial)(0, 1), 100U);
  const TreeParameters balanced{.type = TreeType::balanced, .b0 = 2000.9, .depth = 2};
  EXPECT_EQ(ChildLaw(balanced)(0, 0), 2000U);
  EXPECT_EQ(ChildLaw(balanced)(0, 1), 2000U);
  EXPECT_EQ(ChildLaw(balanced)(0, 2), 0U);
  EXPECT_EQ(ChildLaw({.b0 = 1e7})(kLargest, 0), 100U);
  const TreeParameters hybrid{
      .type = TreeType::hybrid, .b0 = 2000, .q = 1, .m = 101, .shift_depth = 0};
  EXPECT_EQ(ChildLaw(hybrid)(0, 0), 100U);
}

TEST(ChildLaw, HybridWithoutGeometricLevelsFollowsTheBinomialLawAtTheRootToo) {
  for (const TreeParameters& p :
       {TreeParameters{.type = TreeType::hybrid, .depth = 0, .q = 0.5, .m = 7},
        TreeParameters{.type = TreeType::hybrid, .q = 0.5, .m = 7, .shift_depth = 0}}) {
    EXPECT_EQ(ChildLaw(p)(0, 0), 7U);
    EXPECT_EQ(ChildLaw(p)(kLargest, 0), 0U);
  }
}

TEST(ChildLaw, LinearOfDepthZeroHasAGeometricRootWithLeaves) {
  const ChildLaw law({.b0 = 4, .depth = 0});
  EXPECT_EQ(law(kLargest, 0), 96U);  // ln(2^31) / ln(5/4)
  for (const std::uint32_t v : {0U, 1U, kLargest / 2, kLargest}) EXPECT_EQ(law(v, 1), 0U);
}

TEST(ChildLaw, CyclicEndsBelowFiveTimesDepth) {
  const ChildLaw law({.b0 = 6, .shape = Shape::cyclic, .depth = 4});
  EXPECT_GT(law(kLargest, 20), 0U);
  EXPECT_EQ(law(kLargest, 21), 0U);
}

TEST(TreeParameters, DefaultsAreValidAndFinite) {
  EXPECT_EQ(refusal({}), "");
  EXPECT_TRUE(is_finite({}));
}

TEST(TreeParameters, RefusalSaysValueAndRange) {
  EXPECT_EQ(refusal({.b0 = -1}), "b = -1, allowed: 0 to 10000000");
  EXPECT_EQ(refusal({.q = 1.5}), "q = 1.5, allowed: 0 to 1");
}

TEST(TreeParameters, WhatMakesNoSenseIsRefused) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr auto kBinomial = TreeType::binomial;
  const std::vector<TreeParameters> wrong{
      {.type = static_cast<TreeType>(4)},
      {.shape = static_cast<Shape>(4)},
      {.b0 = kNan},
      {.b0 = kInfinity},
      {.b0 = 1e8},
      {.type = kBinomial, .b0 = 2147483648.0},
      {.seed = -1},
      {.depth = -1},
      {.depth = std::numeric_limits<std::int32_t>::max()},
      {.q = -0.1},
      {.q = kNan},
      {.m = -1},
      {.shift_depth = -0.5},
      {.shift_depth = kInfinity},
      {.shift_depth = kNan},
      {.granularity = 0},
  };
  for (std::size_t i = 0; i < wrong.size(); ++i) EXPECT_NE(refusal(wrong[i]), "") << i;
  EXPECT_EQ(refusal({.type = kBinomial, .b0 = 2147483647.0}), "");
  EXPECT_EQ(refusal({.seed = std::numeric_limits<std::int32_t>::max()}), "");
}

TEST(TreeParameters, BalancedTreesMayHaveUpTo2To63Nodes) {
  const auto balanced = [](double b0, std::int32_t depth) {
    return refusal({.type = TreeType::balanced, .b0 = b0, .depth = depth});
  };
  EXPECT_EQ(balanced(2, 62), "");  // 2^63 - 1 nodes
  EXPECT_NE(balanced(2, 63), "");
  EXPECT_EQ(balanced(2147483647, 2), "");
  EXPECT_NE(balanced(2147483647, 3), "");
  EXPECT_EQ(balanced(1, 100'000'000), "");
  EXPECT_EQ(balanced(0.5, 100'000'000), "");
}

TEST(TreeParameters, BinomialTreesMustBeSubcritical) {
  const auto binomial = [](double q, std::int32_t m, double b0) {
    return is_finite({.type = TreeType::binomial, .b0 = b0, .q = q, .m = m});
  };
  EXPECT_TRUE(binomial(0.4999999995, 2, 2000));  // T2WL
  EXPECT_FALSE(binomial(0.5, 2, 2000));
  EXPECT_FALSE(binomial(0.2, 5, 2000));
  EXPECT_FALSE(binomial(0.9, 4, 1));
  // No 31-bit number is above this q: every node would have a child.
  EXPECT_FALSE(binomial(1 - 1e-12, 1, 1));
  EXPECT_TRUE(binomial(0.9, 4, 0.5));  // a root alone
  EXPECT_TRUE(binomial(1, 0, 5));
}

TEST(TreeParameters, HybridTreesMustBeSubcriticalWhereTheBinomialLawRules) {
  const auto hybrid = [](Shape shape, double f, double b0) {
    return is_finite({.type = TreeType::hybrid,
                      .b0 = b0,
                      .shape = shape,
                      .depth = 4,
                      .q = 0.5,
                      .m = 2,
                      .shift_depth = f});
  };
  EXPECT_FALSE(hybrid(Shape::linear, 0.5, 4));
  EXPECT_FALSE(hybrid(Shape::linear, 1, 4));  // nodes at depth 4 are binomial
  EXPECT_TRUE(hybrid(Shape::linear, 1.25, 4));
  EXPECT_TRUE(hybrid(Shape::fixed, 1.25, 4));
  EXPECT_FALSE(hybrid(Shape::cyclic, 5, 4));
  EXPECT_TRUE(hybrid(Shape::cyclic, 5.5, 4));
  EXPECT_FALSE(hybrid(Shape::exponential, 100, 4));
  EXPECT_TRUE(hybrid(Shape::exponential, 1, 0));   // a root alone
  EXPECT_FALSE(hybrid(Shape::exponential, 0, 0));  // but not a binomial one
}

TEST(TreeParameters, OtherTypesDoNotCareForQAndM) {
  EXPECT_TRUE(is_finite({.q = 1, .m = 4}));
  EXPECT_TRUE(is_finite({.type = TreeType::balanced, .q = 1, .m = 4}));
}

TEST(TreeParameters, ExponentialShapeOfDepthZeroMustNotBranch) {
  const auto exponential = [](double b0, std::int32_t depth) {
    return is_finite({.b0 = b0, .shape = Shape::exponential, .depth = depth});
  };
  EXPECT_FALSE(exponential(4, 0));
  EXPECT_TRUE(exponential(1, 0));
  EXPECT_TRUE(exponential(0.5, 0));
  EXPECT_TRUE(exponential(4, 1));
}

}  // namespace
}  // namespace apps
