#include "apps/uts/uts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <map>
#include <random>
#include <stdexcept>
#include <vector>

#include "apps/uts/known_trees.hpp"
#include "belay/core/problem.hpp"
#include "tests/apps/uts/naive_uts.hpp"
#include "tests/apps/uts/quanta.hpp"

namespace apps {
namespace {

static_assert(belay::Problem<UtsProblem>);
static_assert(sizeof(Node) == 24);

UtsResult count(const TreeParameters& parameters) {
  return count_sequentially(UtsProblem(parameters));
}

// A bag as it is in the middle of a search.
UtsProblem::Bag bag_after(const UtsProblem& problem, std::uint32_t tasks, UtsResult& result) {
  UtsProblem::Bag bag = problem.root_bag();
  belay::Quantum quantum(kNobodyWaits, tasks);
  problem.process(bag, result, quantum);
  return bag;
}

void finish(const UtsProblem& problem, UtsProblem::Bag bag, UtsResult& result) {
  while (!bag.empty()) {
    belay::Quantum quantum(kNobodyWaits, 1000);
    problem.process(bag, result, quantum);
  }
}

class SampleTree : public testing::TestWithParam<const char*> {};

TEST_P(SampleTree, CountsAsPublished) {
  const KnownTree& tree = *find_known_tree(GetParam());
  EXPECT_EQ(count(tree.parameters), (UtsResult{tree.nodes, *tree.leaves, *tree.depth}));
}

INSTANTIATE_TEST_SUITE_P(Uts, SampleTree, testing::Values("T1", "T2", "T3", "T4", "T5"),
                         [](const auto& instance) { return instance.param; });

TEST(Uts, CountsAsTheDefinitionSaysOnRandomParameters) {
  std::mt19937 random(5);
  int counted = 0;
  int larger_than_ten = 0;
  while (counted < 800) {
    const TreeParameters p = naive::random_parameters(random);
    try {
      p.validate();
      const UtsResult expected = naive::count(p);
      ASSERT_EQ(count(p), expected)
          << "type " << static_cast<int>(p.type) << " shape " << static_cast<int>(p.shape) << " b "
          << p.b0 << " d " << p.depth << " r " << p.seed << " q " << p.q << " m " << p.m << " f "
          << p.shift_depth;
      ++counted;
      if (expected.nodes > 10) ++larger_than_ten;
    } catch (const std::invalid_argument&) {  // a balanced tree beyond counting
    } catch (const naive::TooLarge&) {
    }
  }
  EXPECT_GT(larger_than_ten, 200);
}

// The same corner cases in figures, so that they cannot drift together.
TEST(Uts, CountsCornerCases) {
  using enum TreeType;
  const auto both = [](const TreeParameters& p) {
    EXPECT_EQ(count(p), naive::count(p));
    return count(p);
  };
  EXPECT_EQ(both({.b0 = 0}), (UtsResult{1, 1, 0}));
  EXPECT_EQ(both({.type = binomial, .b0 = 0.99}), (UtsResult{1, 1, 0}));
  EXPECT_EQ(both({.type = balanced, .b0 = 0.99}), (UtsResult{1, 1, 0}));
  EXPECT_EQ(both({.type = balanced, .b0 = 3.99, .depth = 0}), (UtsResult{1, 1, 0}));
  EXPECT_EQ(both({.type = balanced, .b0 = 3.99, .depth = 4}), (UtsResult{121, 81, 4}));
  EXPECT_EQ(both({.type = balanced, .b0 = 150, .depth = 1}), (UtsResult{151, 150, 1}));
  EXPECT_EQ(both({.type = binomial, .b0 = 150.5, .q = 0}), (UtsResult{151, 150, 1}));
}

TEST(Uts, RootThatIsALeafIsCountedOnce) {
  const UtsProblem problem({.b0 = 0});
  UtsProblem::Bag bag = problem.root_bag();
  EXPECT_EQ(bag.size(), 1U);
  UtsResult result;
  finish(problem, std::move(bag), result);
  EXPECT_EQ(result, (UtsResult{1, 1, 0}));
}

TEST(Uts, TasksAreInnerNodes) {
  const UtsProblem problem({});
  UtsProblem::Bag bag = problem.root_bag();
  UtsResult result;
  belay::Quantum quantum(kNobodyWaits, 1'000'000);
  problem.process(bag, result, quantum);
  EXPECT_TRUE(bag.empty());
  EXPECT_EQ(quantum.taken(), result.nodes - result.leaves);
}

TEST(Uts, SmallQuantaChangeNothing) {
  const UtsProblem problem({});
  const UtsResult expected = count_sequentially(problem);
  for (const std::uint32_t tasks : {1U, 2U, 7U}) {
    UtsProblem::Bag bag = problem.root_bag();
    UtsResult result;
    while (!bag.empty()) {
      belay::Quantum quantum(kNobodyWaits, tasks);
      problem.process(bag, result, quantum);
      ASSERT_LE(quantum.taken(), tasks);
    }
    EXPECT_EQ(result, expected);
  }
}

TEST(Uts, StopsAtOnceWhenSomebodyWaits) {
  const UtsProblem problem({});
  UtsProblem::Bag bag = problem.root_bag();
  UtsResult result;
  const std::atomic<bool> somebody_waits{true};
  belay::Quantum quantum(somebody_waits, 100);
  problem.process(bag, result, quantum);
  EXPECT_EQ(bag, problem.root_bag());
  EXPECT_EQ(result, UtsResult{});
}

TEST(Uts, GranularityCostsHashesAndChangesNothing) {
  TreeParameters parameters;
  const auto seconds_of_cpu = [&](UtsResult& result) {
    const std::clock_t start = std::clock();
    result = count(parameters);
    return static_cast<double>(std::clock() - start);
  };
  UtsResult fine;
  UtsResult coarse;
  parameters.granularity = 10;
  const double before = seconds_of_cpu(fine);
  parameters.granularity = 1000;
  const double after = seconds_of_cpu(coarse);
  EXPECT_EQ(fine, coarse);
  EXPECT_GT(after, 10 * before);  // 100 but for noise
}

TEST(Uts, SplitTakesHalfAtEachDepthAndLosesNothing) {
  for (const char* name : {"T1", "T2", "T3", "T5"}) {
    const UtsProblem problem(find_known_tree(name)->parameters);
    UtsResult result;
    const UtsProblem::Bag before = bag_after(problem, 5000, result);
    ASSERT_GT(before.size(), 10U) << name;
    UtsProblem::Bag kept = before;
    const UtsProblem::Bag given = problem.split(kept, belay::Share::half());
    EXPECT_EQ(given.size(), before.size() / 2);
    EXPECT_EQ(given.front(), before.front());  // the shallowest, the largest subtree

    // The last task of an odd number stays too.
    std::map<int, int> balance;
    for (const Node& node : kept) ++balance[node.depth];
    for (const Node& node : given) --balance[node.depth];
    for (const auto& [depth, difference] : balance) {
      EXPECT_LE(std::abs(difference), depth == before.back().depth ? 2 : 1) << name << ' ' << depth;
    }

    UtsProblem::Bag together = kept;
    together.insert(together.end(), given.begin(), given.end());
    EXPECT_TRUE(std::ranges::is_permutation(together, before));
  }
}

TEST(Uts, SplitGivesAFixedNumberButNeverTheLastTask) {
  const UtsProblem problem({});
  UtsResult result;
  const UtsProblem::Bag before = bag_after(problem, 30, result);
  ASSERT_GT(before.size(), 8U);
  for (const std::size_t k : {std::size_t{1}, std::size_t{5}, before.size() - 1, before.size()}) {
    UtsProblem::Bag kept = before;
    const UtsProblem::Bag given = problem.split(kept, belay::Share::tasks(k));
    EXPECT_EQ(given.size(), std::min(k, before.size() - 1));
    EXPECT_EQ(kept.size() + given.size(), before.size());
  }
  UtsProblem::Bag root = problem.root_bag();
  EXPECT_TRUE(problem.split(root, belay::Share::half()).empty());
  EXPECT_EQ(root, problem.root_bag());
  UtsProblem::Bag nothing = problem.empty_bag();
  EXPECT_TRUE(problem.split(nothing, belay::Share::half()).empty());
}

TEST(Uts, PartsOfASearchAddUpToTheWhole) {
  const UtsProblem problem({.type = TreeType::hybrid, .b0 = 5, .seed = 3, .depth = 8});
  const UtsResult expected = count_sequentially(problem);
  UtsResult here;
  UtsProblem::Bag kept = bag_after(problem, 100, here);
  UtsProblem::Bag given = problem.split(kept, belay::Share::half());
  UtsProblem::Bag back = problem.split(given, belay::Share::tasks(3));
  problem.merge(kept, std::move(back));
  finish(problem, kept, here);
  UtsResult there;
  finish(problem, given, there);
  UtsProblem::reduce(here, std::move(there));
  EXPECT_EQ(here, expected);
}

TEST(Uts, BagsTravel) {
  const UtsProblem problem({});
  UtsResult result;
  for (const UtsProblem::Bag& bag :
       {problem.empty_bag(), problem.root_bag(), bag_after(problem, 50, result)}) {
    belay::Packer packer;
    problem.pack(bag, packer);
    const std::vector<std::byte> bytes = packer.take();
    belay::Unpacker unpacker(bytes);
    EXPECT_EQ(problem.unpack(unpacker), bag);
    EXPECT_EQ(unpacker.left(), 0U);
  }
}

TEST(Uts, ReduceAddsAndTakesTheGreaterDepth) {
  UtsResult into{10, 5, 3};
  UtsProblem::reduce(into, {1, 2, 7});
  EXPECT_EQ(into, (UtsResult{11, 7, 7}));
  UtsProblem::reduce(into, UtsProblem({}).identity());
  EXPECT_EQ(into, (UtsResult{11, 7, 7}));
}

TEST(Uts, RefusesWrongParameters) { EXPECT_THROW(UtsProblem({.b0 = -1}), std::invalid_argument); }

}  // namespace
}  // namespace apps
