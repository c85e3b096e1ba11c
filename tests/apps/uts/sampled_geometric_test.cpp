#include "apps/uts/sampled_geometric.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
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

static_assert(belay::Problem<SampledGeometric>);

using GeometricBag = SampledGeometric::Bag;

constexpr std::size_t kReal = 1U << 17U;  // the tree is real down to the first depth with so many

TreeParameters tree_of(double b, std::int32_t depth, std::int32_t seed) {
  return {
      .type = TreeType::geometric, .b0 = b, .seed = seed, .shape = Shape::fixed, .depth = depth};
}

// Inner nodes of the real tree by depth, down to the first depth with kReal of them.
std::vector<std::uint64_t> top_of(const TreeParameters& tree) {
  const UtsProblem real(tree);
  std::vector<Node> level = real.root_bag();
  std::vector<std::uint64_t> sizes;
  while (!level.empty()) {
    sizes.push_back(level.size());
    if (level.size() >= kReal) break;
    std::vector<Node> next;
    UtsResult counted;
    for (const Node& node : level) {
      real.expand(node, counted, [&next](const Node& child) { next.push_back(child); });
    }
    level = std::move(next);
  }
  return sizes;
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

// Foresees so many tasks before each quantum.
std::uint64_t process_all(const SampledGeometric& problem, std::uint32_t quantum_tasks,
                          std::uint64_t foreseen) {
  GeometricBag bag = problem.root_bag();
  std::uint64_t tasks = 0;
  while (bag.size() > 0) {
    if (foreseen > 0) problem.foresee(bag, foreseen);
    tasks += process(problem, bag, quantum_tasks);
  }
  return tasks;
}

TEST(SampledGeometric, IsTheRealTreeWhereThatIsSmall) {
  for (std::int32_t seed = 0; seed < 5; ++seed) {
    for (const auto& tree : {tree_of(4, 7, seed), tree_of(1, 20, seed), tree_of(9, 1, seed),
                             tree_of(9, 2, seed), tree_of(20, 4, seed)}) {
      const std::uint64_t real = sum_of(top_of(tree));
      for (const std::uint32_t quantum : {1U, 7U, 511U, 1U << 20U}) {
        EXPECT_EQ(process_all(SampledGeometric(tree, quantum), quantum, 0), real)
            << "b " << tree.b0 << " seed " << seed;
        EXPECT_EQ(process_all(SampledGeometric(tree, quantum), quantum, 1000), real)
            << "b " << tree.b0 << " seed " << seed;
      }
    }
  }
}

TEST(SampledGeometric, HasTheRealNumbersAtTheTop) {
  for (const char* name : {"T1", "T1L"}) {
    const KnownTree& tree = *find_known_tree(name);
    const std::vector<std::uint64_t> real = top_of(tree.parameters);
    ASSERT_GE(real.back(), kReal);
    const SampledGeometric problem(tree.parameters, 1);
    std::vector<std::uint64_t> found(SampledGeometric::kMaxDepth);
    GeometricBag bag = problem.root_bag();
    found[0] = bag.size();
    while (bag.size() > 0) {
      const GeometricBag before = bag;
      problem.foresee(bag, 1);
      for (std::size_t depth = 1; depth < found.size(); ++depth) {
        if (bag.pending[depth] > before.pending[depth]) {
          found[depth] += bag.pending[depth] - before.pending[depth];
        }
      }
      bag.begun = 0;
    }
    found.resize(real.size());
    EXPECT_EQ(found, real) << name;
  }
}

// How many tasks a tree of this height has, whose root is an inner node.
struct Size {
  double mean = 1;
  double variance = 0;

  static Size of(double b, std::int32_t height) {
    const double p = 1 / (1 + b);
    // Inner ones of an inner node's children: of the first, and of the geometric number of others.
    const double variance_of_children = p * (1 - p) + b * (1 - p) * (1 + b * (1 - p));
    Size size;
    for (; height > 1; --height) {
      size = {1 + b * size.mean, b * size.variance + variance_of_children * size.mean * size.mean};
    }
    return size;
  }
};

// Whichever way it is drawn: in small subtrees or in large ones.
TEST(SampledGeometric, IsAsLargeAsTheLawSaysBelowTheTop) {
  struct Case {
    TreeParameters tree;
    std::uint64_t foreseen;
  };
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  for (auto [tree, foreseen] :
       {Case{tree_of(4, 10, 19), 0}, Case{tree_of(4, 11, 1), 0}, Case{tree_of(4, 13, 29), 0},
        Case{tree_of(4, 10, 19), kMost}, Case{tree_of(4, 11, 1), kMost},
        Case{tree_of(4, 12, 2), kMost}, Case{tree_of(4, 13, 29), kMost},
        Case{tree_of(4, 15, 19), 10'000'000}, Case{tree_of(2, 20, 3), 0},
        Case{tree_of(2, 20, 3), kMost}, Case{tree_of(2.5, 19, 4), 1000},
        Case{tree_of(50, 5, 5), kMost}, Case{tree_of(50, 4, 5), 0}}) {
    while (top_of(tree).back() < kReal) ++tree.seed;  // it ended early
    const std::vector<std::uint64_t> top = top_of(tree);
    const auto depth = static_cast<std::int32_t>(top.size()) - 1;
    ASSERT_LT(depth, tree.depth);
    const auto subtrees = static_cast<double>(top.back());
    const Size size = Size::of(tree.b0, tree.depth - depth);
    const auto above = static_cast<double>(sum_of(top) - top.back());
    const auto tasks =
        static_cast<double>(process_all(SampledGeometric(tree, 1), 1U << 30U, foreseen));
    EXPECT_NEAR((tasks - above) / subtrees, size.mean, 5 * std::sqrt(size.variance / subtrees))
        << "b " << tree.b0 << " depth " << tree.depth << " real to " << depth << " foreseen "
        << foreseen;
  }
}

std::uint64_t nodes_in(const GeometricBag& bag) {
  return std::accumulate(bag.pending.begin(), bag.pending.end(), std::uint64_t{0});
}

// The scheduler's doings at random, over many bags.
TEST(SampledGeometric, KeepsWhatItForeseesThroughSplitsAndMerges) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&random](std::uint32_t bound) {
      return static_cast<std::uint32_t>(random() % bound);
    };
    // One that is real all through, and two that are not.
    const TreeParameters tree = tree_of(4, 8 + static_cast<std::int32_t>(seed % 3) * 2, 19);
    const SampledGeometric problem(tree, seed);
    std::vector<GeometricBag> bags{problem.root_bag()};
    std::uint64_t tasks = 0;
    while (!bags.empty()) {
      const std::size_t index = below(static_cast<std::uint32_t>(bags.size()));
      GeometricBag& bag = bags[index];
      const GeometricBag before = bag;
      ASSERT_EQ(nodes_in(bag), bag.nodes);
      if (bag.size() == 0) {
        bags.erase(bags.begin() + static_cast<std::ptrdiff_t>(index));
      } else if (below(4) > 0) {
        const std::uint32_t wanted = 1 + below(1U << below(16));
        const std::uint64_t foreseen = problem.foresee(bag, wanted);
        ASSERT_GE(foreseen, 1U);
        ASSERT_LE(foreseen, wanted);
        // As much of it as somebody leaves; thieves may come before.
        if (below(4) == 0) bags.push_back(problem.split(bags[index], belay::Share::half()));
        const auto kept = std::min(foreseen, bags[index].begun);
        const std::uint32_t quantum = 1 + below(static_cast<std::uint32_t>(kept));
        ASSERT_EQ(process(problem, bags[index], quantum), quantum);
        tasks += quantum;
      } else if (below(2) == 0) {
        const auto share = below(2) == 0 ? belay::Share::half() : belay::Share::tasks(1 + below(4));
        GeometricBag part = problem.split(bag, share);
        ASSERT_EQ(part.begun, share.is_half() ? before.begun / 2 : 0);
        ASSERT_EQ(part.begun + bag.begun, before.begun);
        ASSERT_EQ(part.nodes, share.of(before.nodes + (before.begun > 0 ? 1U : 0U)));
        ASSERT_GE(bag.size(), 1U);
        for (std::size_t depth = 0; depth < before.pending.size(); ++depth) {
          ASSERT_EQ(part.pending[depth] + bag.pending[depth], before.pending[depth]);
        }
        ASSERT_NEAR(part.below + bag.below, before.below, 1e-6);
        bags.push_back(part);
      } else if (bags.size() > 1) {
        GeometricBag& into = bags.front();
        const GeometricBag first = into;
        const GeometricBag last = bags.back();
        problem.merge(into, std::move(bags.back()));
        bags.pop_back();
        ASSERT_EQ(into.size(), first.size() + last.size());
        ASSERT_EQ(into.begun, first.begun + last.begun);
        ASSERT_NEAR(into.below, first.below + last.below, 1e-6);
      }
    }
    const std::vector<std::uint64_t> top = top_of(tree);
    if (tree.depth == 8) {
      EXPECT_EQ(tasks, sum_of(top));
    } else {
      const Size size = Size::of(4, tree.depth - static_cast<std::int32_t>(top.size()) + 1);
      const auto subtrees = static_cast<double>(top.back());
      EXPECT_NEAR(
          (static_cast<double>(tasks) - static_cast<double>(sum_of(top) - top.back())) / subtrees,
          size.mean, 5 * std::sqrt(size.variance / subtrees));
    }
  }
}

TEST(SampledGeometric, CountsBegunTasksAsTheStackThatTheyWouldBe) {
  const SampledGeometric problem(tree_of(4, 12, 19), 1);
  GeometricBag bag = problem.empty_bag();
  bag.pending[3] = 5;
  bag.nodes = 5;
  bag.deepest = 3;
  EXPECT_EQ(problem.likely_size(bag), 5U);
  std::uint64_t before = 5;
  for (bag.begun = 1; bag.begun < 1'000'000; bag.begun *= 2) {
    EXPECT_EQ(problem.likely_size(bag), before + 1);
    EXPECT_LE(problem.likely_size(bag), bag.size());
    before = problem.likely_size(bag);
  }
}

TEST(SampledGeometric, GivesAwayEveryOtherNodeOrTheFirstOnes) {
  const SampledGeometric problem(tree_of(4, 12, 19), 1);
  GeometricBag bag = problem.empty_bag();
  bag.pending[3] = 5;
  bag.pending[7] = 5;
  bag.nodes = 10;
  bag.deepest = 7;
  GeometricBag other = bag;

  const GeometricBag half = problem.split(bag, belay::Share::half());
  EXPECT_EQ(half.pending[3], 3U);
  EXPECT_EQ(half.pending[7], 2U);

  GeometricBag third = other;
  const GeometricBag few = problem.split(third, belay::Share::tasks(4));
  EXPECT_EQ(few.pending[3], 3U);
  EXPECT_EQ(few.pending[7], 1U);

  const GeometricBag first = problem.split(other, belay::Share::tasks(6));
  EXPECT_EQ(first.pending[3], 5U);
  EXPECT_EQ(first.pending[7], 1U);
}

TEST(SampledGeometric, StopsWhenSomebodyWaits) {
  const SampledGeometric problem(tree_of(4, 10, 19), 1);
  const std::atomic<bool> somebody_waits{true};
  GeometricBag bag = problem.root_bag();
  std::uint64_t tasks = 0;
  belay::Quantum quantum(somebody_waits, 1000);
  problem.process(bag, tasks, quantum);
  EXPECT_EQ(tasks, 0U);
  EXPECT_GT(bag.size(), 0U);
}

TEST(SampledGeometric, RefusesOtherTrees) {
  const auto sample = [](const TreeParameters& tree) { return SampledGeometric(tree, 1); };
  EXPECT_NO_THROW(sample(tree_of(50, 1, 0)));
  EXPECT_NO_THROW(sample(tree_of(1, 26, 0)));
  EXPECT_THROW(sample(tree_of(50.1, 4, 0)), std::invalid_argument);
  EXPECT_THROW(sample(tree_of(0.9, 4, 0)), std::invalid_argument);
  EXPECT_THROW(sample(tree_of(4, 0, 0)), std::invalid_argument);
  EXPECT_THROW(sample(tree_of(4, 27, 0)), std::invalid_argument);
  EXPECT_THROW(sample(find_known_tree("T3")->parameters), std::invalid_argument);
  EXPECT_THROW(sample(find_known_tree("T5")->parameters), std::invalid_argument);
}

}  // namespace
}  // namespace apps
