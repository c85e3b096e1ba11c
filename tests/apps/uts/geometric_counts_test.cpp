// The tables of thresholds against the formula that they stand for, for each mean number of
// children that a well-known tree has at any depth. On demand on all 2^31 random values, which
// takes some ten minutes on two cores:
//
//   apps_test --gtest_also_run_disabled_tests --gtest_filter='*OnAllRandomValues'
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "apps/uts/known_trees.hpp"
#include "apps/uts/tree.hpp"
#include "tests/apps/uts/naive_uts.hpp"

namespace apps {
namespace {

struct Law {
  double log_failure;
  std::unique_ptr<GeometricCounts> counts;
};

std::vector<Law> laws_in_use() {
  std::set<double> all;
  for (const KnownTree& tree : kKnownTrees) {
    const TreeParameters& p = tree.parameters;
    const bool hybrid = p.type == TreeType::hybrid;
    if (!hybrid && p.type != TreeType::geometric) continue;
    const int depths = p.shape == Shape::cyclic ? 5 * p.depth + 1 : p.depth;
    for (int depth = 0; depth <= depths; ++depth) {
      if (!hybrid || depth < p.shift_depth * p.depth) {
        all.insert(naive::log_failure(naive::mean(p, depth)));
      }
    }
  }
  std::vector<Law> laws;
  for (const double failure : all) {
    laws.push_back({failure, std::make_unique<GeometricCounts>(failure)});
  }
  return laws;
}

double log_of_rest(std::uint32_t random) { return std::log(1 - random / 2147483648.0); }

// How many of the random values from `first` on the tables get wrong.
std::uint64_t disagreements(const std::vector<Law>& laws, std::uint32_t first,
                            std::uint32_t count) {
  std::uint64_t wrong = 0;
  for (std::uint32_t random = first; random < first + count; ++random) {
    const double log_u = log_of_rest(random);
    for (const Law& law : laws) {
      const auto children = static_cast<int>((*law.counts)(random));
      wrong += children != naive::geometric(log_u, law.log_failure) ? 1U : 0U;
    }
  }
  return wrong;
}

TEST(GeometricCounts, AgreeAroundEachThreshold) {
  const std::vector<Law> laws = laws_in_use();
  EXPECT_GT(laws.size(), 50U);
  for (const Law& law : laws) {
    std::uint32_t thresholds = 0;
    for (std::uint32_t n = 0; n < kMaxChildren; ++n) {
      const std::uint32_t least = law.counts->least_with_more_than(n);
      if (least >= kRandomRange) break;
      ++thresholds;
      const std::uint32_t first = least < 1000 ? 0 : least - 1000;
      for (std::uint32_t random = first; random < std::min(least + 1000, kRandomRange); ++random) {
        ASSERT_EQ(static_cast<int>((*law.counts)(random)),
                  naive::geometric(log_of_rest(random), law.log_failure))
            << "log of failure " << law.log_failure << " random " << random;
      }
    }
    for (const std::uint32_t random : {0U, kRandomRange - 1}) {
      EXPECT_EQ(static_cast<int>((*law.counts)(random)),
                naive::geometric(log_of_rest(random), law.log_failure));
    }
    EXPECT_EQ(thresholds, (*law.counts)(kRandomRange - 1));
  }
}

TEST(GeometricCounts, DISABLED_AgreeOnAllRandomValues) {
  const std::vector<Law> laws = laws_in_use();
  std::cout << laws.size() << " means\n";
  constexpr std::uint32_t kPart = 1U << 24U;
  std::atomic<std::uint32_t> next{0};
  std::atomic<std::uint64_t> wrong{0};
  std::atomic<std::uint64_t> checked{0};
  std::vector<std::thread> threads(std::max(1U, std::thread::hardware_concurrency()));
  for (auto& thread : threads) {
    thread = std::thread([&] {
      for (std::uint32_t part = 0; (part = next++) < kRandomRange / kPart;) {
        wrong += disagreements(laws, part * kPart, kPart);
        checked += kPart;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(checked, kRandomRange);
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace apps
