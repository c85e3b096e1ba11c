#include "apps/uts/sampled_binomial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "apps/uts/known_trees.hpp"
#include "belay/core/problem.hpp"
#include "tests/apps/uts/quanta.hpp"

namespace apps {
namespace {

static_assert(belay::Problem<SampledBinomial>);

using BinomialBag = SampledBinomial::Bag;

TreeParameters tree_of(double children_of_root, std::int32_t m) {
  return {.type = TreeType::binomial, .b0 = children_of_root, .m = m};
}

// Inner nodes.
std::uint64_t tasks_of(const KnownTree& tree) { return tree.nodes - *tree.leaves; }

std::uint64_t process_all(const SampledBinomial& problem, std::uint32_t quantum_tasks) {
  BinomialBag bag = problem.root_bag();
  std::uint64_t tasks = 0;
  while (bag.size() > 0) tasks += process(problem, bag, quantum_tasks);
  return tasks;
}

TEST(SampledBinomial, HasTheTasksOfTheKnownTreeInQuantaOfAnySize) {
  for (const char* name : {"T3", "paper-binomial-small"}) {
    const KnownTree& tree = *find_known_tree(name);
    for (const std::uint32_t quantum : {1U, 7U, 511U, 1U << 20U}) {
      const SampledBinomial problem(tree.parameters, tree.nodes, quantum);
      EXPECT_EQ(process_all(problem, quantum), tasks_of(tree)) << name << " by " << quantum;
    }
  }
}

TEST(SampledBinomial, HasTheTasksOfLargeTreesInOneQuantum) {
  for (const char* name : {"T3L", "paper-binomial-m6"}) {
    const KnownTree& tree = *find_known_tree(name);
    const SampledBinomial problem(tree.parameters, tree.nodes, 1);
    EXPECT_EQ(process_all(problem, std::numeric_limits<std::uint32_t>::max()), tasks_of(tree))
        << name;
  }
}

TEST(SampledBinomial, HasTheTasksOfTheSmallestTrees) {
  for (const std::int32_t m : {2, 64, 65, 100}) {
    for (std::uint64_t inner = 0; inner < 20; ++inner) {
      for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const auto children = static_cast<std::uint64_t>(m);
        const SampledBinomial problem(tree_of(3, m), 4 + children * inner, seed);
        EXPECT_EQ(process_all(problem, 2), 1 + inner) << m << ' ' << seed;
      }
    }
  }
}

// The scheduler's doings at random, over many bags: nothing of the tree is lost or done twice.
TEST(SampledBinomial, KeepsItsTasksThroughSplitsAndMerges) {
  int lumps = 0;
  const KnownTree& tree = *find_known_tree("T3");
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const SampledBinomial problem(tree.parameters, tree.nodes, seed);
    std::vector<BinomialBag> bags{problem.root_bag()};
    std::uint64_t tasks = 0;
    while (!bags.empty()) {
      const std::size_t index = random() % bags.size();
      BinomialBag& bag = bags[index];
      const std::uint64_t before = bag.size();
      if (const auto indivisible = problem.indivisible_tasks(bag); indivisible > 0) {
        ++lumps;
        BinomialBag copy = bag;
        process(problem, copy, static_cast<std::uint32_t>(random() % indivisible));
        ASSERT_EQ(problem.split(copy, belay::Share::half()).size(), 0U);
        ASSERT_GT(copy.size(), 0U);
      }
      if (before == 0) {
        bags.erase(bags.begin() + static_cast<std::ptrdiff_t>(index));
      } else if (random() % 4 > 0) {
        const std::uint64_t wanted = 1 + random() % 2000;
        const bool foresees = random() % 2 == 0;
        const std::uint64_t foreseen = foresees ? problem.foresee(bag, wanted) : 1;
        ASSERT_GE(foreseen, 1U);
        ASSERT_LE(foreseen, wanted);
        const std::uint64_t done = process(problem, bag, static_cast<std::uint32_t>(wanted));
        ASSERT_GE(done, foreseen);
        tasks += done;
      } else if (random() % 2 == 0) {
        problem.foresee(bag, random() % 200);
        const BinomialBag whole = bag;
        const bool half = random() % 2 == 0;
        const auto share = half ? belay::Share::half() : belay::Share::tasks(3);
        const BinomialBag part = problem.split(bag, share);
        EXPECT_EQ(part.begun, half && whole.begun >= 64 ? whole.begun / 2 : 0);
        EXPECT_EQ(part.pending, share.of(whole.pending + (whole.begun > 0 ? 1 : 0)));
        EXPECT_EQ(part.begun + bag.begun, whole.begun);
        EXPECT_EQ(part.pending + bag.pending, whole.pending);
        EXPECT_GE(bag.size(), 1U);
        bags.push_back(part);
      } else if (bags.size() > 1) {
        const std::uint64_t sum = bags.front().size() + bags.back().size();
        problem.merge(bags.front(), std::move(bags.back()));
        bags.pop_back();
        EXPECT_EQ(bags.front().size(), sum);
      }
    }
    EXPECT_EQ(tasks, tasks_of(tree)) << seed;
  }
  EXPECT_GT(lumps, 0);
}

// Nodes pending in all bags whenever 1,000 more have been expanded, in quanta of this size by the
// bags in turn, every other one with foresight.
std::vector<std::uint64_t> course_of(const SampledBinomial& problem, std::uint32_t quantum_tasks) {
  constexpr std::uint64_t kStep = 1000;
  std::vector<BinomialBag> bags(3);
  bags.front() = problem.root_bag();
  std::vector<std::uint64_t> course;
  std::uint64_t tasks = 0;
  for (std::uint64_t expanded = 0, pending = 1, turn = 0; pending > 0; ++turn) {
    BinomialBag& bag = bags[turn % bags.size()];
    if (bag.size() == 0) bag = problem.split(bags[(turn + 1) % bags.size()], belay::Share::half());
    const auto most = std::min<std::uint64_t>(quantum_tasks, kStep - expanded % kStep);
    if (turn % 2 == 0) problem.foresee(bag, bag.begun + most);
    tasks += process(problem, bag, static_cast<std::uint32_t>(most));
    expanded = tasks;
    pending = 0;
    for (const BinomialBag& each : bags) {
      expanded += each.begun;
      pending += each.pending;
    }
    if (expanded == (course.size() + 1) * kStep) course.push_back(pending);
  }
  return course;
}

TEST(SampledBinomial, HasTheSameCourseWhateverTheSchedule) {
  const KnownTree& tree = *find_known_tree("paper-binomial-small");
  const auto course = [&tree](std::uint64_t seed, std::uint32_t quantum_tasks) {
    return course_of(SampledBinomial(tree.parameters, tree.nodes, seed), quantum_tasks);
  };
  const auto one = course(1, 7);
  EXPECT_EQ(one.size(), tasks_of(tree) / 1000);
  EXPECT_EQ(course(1, 500), one);
  EXPECT_NE(course(2, 500), one);
}

TEST(SampledBinomial, StopsWhenSomebodyWaits) {
  const KnownTree& tree = *find_known_tree("T3");
  const SampledBinomial problem(tree.parameters, tree.nodes, 1);
  const std::atomic<bool> somebody_waits{true};
  BinomialBag bag = problem.root_bag();
  const std::uint64_t before = bag.size();
  std::uint64_t tasks = 0;
  belay::Quantum quantum(somebody_waits, 1000);
  problem.process(bag, tasks, quantum);
  EXPECT_EQ(tasks, 0U);
  EXPECT_EQ(bag.size(), before);
}

// How many inner children come of each step, when each expands up to so many pending nodes.
using Course = std::vector<std::uint64_t>;

std::uint64_t binomial_coefficient(std::uint64_t n, std::uint64_t k) {
  std::uint64_t c = 1;
  for (std::uint64_t i = 1; i <= k; ++i) c = c * (n - k + i) / i;
  return c;
}

// Adds how many trees there are of each course that begins like this one, with `ways` for what is
// done. Galton-Watson trees of one size are equally likely, whatever the coin.
void count_trees(const Course& begun, std::uint64_t pending, std::uint64_t inner_left,
                 std::uint64_t at_once, std::uint64_t m, std::uint64_t ways,
                 std::map<Course, std::uint64_t>& trees) {
  if (pending == 0) {
    if (inner_left == 0) trees[begun] += ways;
    return;
  }
  const std::uint64_t count = std::min(pending, at_once);
  for (std::uint64_t inner = 0; inner <= std::min(m * count, inner_left); ++inner) {
    Course course = begun;
    course.push_back(inner);
    count_trees(course, pending - count + inner, inner_left - inner, at_once, m,
                ways * binomial_coefficient(m * count, inner), trees);
  }
}

// By m and how many nodes are expanded at once.
class CourseOfATree : public testing::TestWithParam<std::pair<std::int32_t, std::uint32_t>> {};

TEST_P(CourseOfATree, IsAsLikelyAsAmongAllTreesOfItsSize) {
  constexpr std::uint64_t kInner = 5;
  constexpr std::uint64_t kSeeds = 100'000;
  const auto [m_of_tree, at_once] = GetParam();
  const auto m = static_cast<std::uint64_t>(m_of_tree);  // and the root's

  std::map<Course, std::uint64_t> trees;
  for (std::uint64_t inner = 0; inner <= std::min(m, kInner); ++inner) {
    count_trees({inner}, inner, kInner - inner, at_once, m, binomial_coefficient(m, inner), trees);
  }
  double all = 0;
  for (const auto& [course, number] : trees) all += static_cast<double>(number);

  std::map<Course, std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const SampledBinomial problem(tree_of(m_of_tree, m_of_tree), 1 + m + m * kInner, seed);
    BinomialBag bag = problem.root_bag();
    Course course;
    while (bag.size() > 0) {
      const auto count = std::min<std::uint64_t>(bag.size(), at_once);
      const std::uint64_t rest = bag.size() - count;
      process(problem, bag, static_cast<std::uint32_t>(count));
      course.push_back(bag.size() - rest);
    }
    ++seen[course];
  }

  double chi_squared = 0;
  for (const auto& [course, number] : trees) {
    const double expected = kSeeds * static_cast<double>(number) / all;
    chi_squared += std::pow(static_cast<double>(seen[course]) - expected, 2) / expected;
  }
  EXPECT_EQ(seen.size(), trees.size());  // no other course
  const auto freedom = static_cast<double>(trees.size() - 1);
  EXPECT_LT(chi_squared, freedom + 5 * std::sqrt(2 * freedom));
}

INSTANTIATE_TEST_SUITE_P(SampledBinomial, CourseOfATree,
                         testing::Values(std::pair{3, 1U}, std::pair{3, 2U}, std::pair{3, 100U},
                                         std::pair{65, 1U}, std::pair{65, 2U}));

// Where coins are no longer thrown one by one.
class LargeTree : public testing::TestWithParam<const char*> {};

TEST_P(LargeTree, BeginsByItsLaw) {
  constexpr int kSeeds = 20'000;
  const KnownTree& tree = *find_known_tree(GetParam());
  const double root = tree.parameters.b0;
  const double heads = static_cast<double>(tasks_of(tree) - 1);
  const double coins = root + tree.parameters.m * heads;
  const double p = heads / coins;
  double of_root = 0;  // its inner children, less their mean
  double of_half = 0;  // those of half of these, less their mean, in standard deviations
  for (int seed = 0; seed < kSeeds; ++seed) {
    const SampledBinomial problem(tree.parameters, tree.nodes, static_cast<std::uint64_t>(seed));
    BinomialBag bag = problem.root_bag();
    process(problem, bag, 1);
    const auto begun = static_cast<double>(bag.size());
    of_root += begun - (1 + (root - 1) * p);

    const auto half = static_cast<std::uint32_t>(bag.size() / 2);
    process(problem, bag, half);
    const double rest = begun - half;
    const double throws = static_cast<double>(tree.parameters.m) * half;
    const double left = (heads - begun) / (coins - root);
    const double mean = throws * left;
    const double variance = mean * (1 - left);
    // Weighted with rest + J.
    const double weighted = (rest * mean + variance + mean * mean) / (rest + mean);
    of_half += (static_cast<double>(bag.size()) - rest - weighted) / std::sqrt(variance);
  }
  EXPECT_LT(std::abs(of_root), 5 * std::sqrt(kSeeds * root * p * (1 - p)));
  EXPECT_LT(std::abs(of_half), 5 * std::sqrt(kSeeds));
}

INSTANTIATE_TEST_SUITE_P(SampledBinomial, LargeTree, testing::Values("T3", "T2WL"));

TEST(SampledBinomial, RefusesTreesThatThereAreNot) {
  const auto sample = [](const TreeParameters& tree, std::uint64_t nodes) {
    return SampledBinomial(tree, nodes, 1);
  };
  EXPECT_NO_THROW(sample(tree_of(3, 2), 4));
  EXPECT_THROW(sample(tree_of(3, 2), 3), std::invalid_argument);  // fewer than the root has
  EXPECT_THROW(sample(tree_of(3, 2), 5), std::invalid_argument);  // half of two siblings
  EXPECT_THROW(sample(tree_of(3, 1), 5), std::invalid_argument);
  EXPECT_THROW(sample(tree_of(3, 101), 105), std::invalid_argument);  // cut at 100
  EXPECT_THROW(sample(tree_of(0, 2), 3), std::invalid_argument);      // children of nobody
  EXPECT_THROW(sample({.type = TreeType::geometric}, 7), std::invalid_argument);
}

}  // namespace
}  // namespace apps
