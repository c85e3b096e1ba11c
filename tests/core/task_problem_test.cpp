#include "belay/core/task_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "belay/core/problem.hpp"
#include "belay/core/rng.hpp"

namespace belay::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<int> numbers_up_to(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// Runs tasks until the quantum or the bag is used up.
template <class P>
std::uint32_t process(const P& problem, typename P::Bag& bag, typename P::Result& result,
                      std::uint32_t tasks) {
  const std::atomic<bool> attention{false};
  Quantum quantum(attention, tasks);
  problem.process(bag, result, quantum);
  return quantum.taken();
}

TEST(TakeEveryOther, TakesEverySecondTaskFromTheOldest) {
  auto tasks = numbers_up_to(7);
  EXPECT_THAT(take_every_other(tasks, 3), ElementsAre(0, 2, 4));
  EXPECT_THAT(tasks, ElementsAre(1, 3, 5, 6));
}

TEST(TakeEveryOther, KeepsTheOrderOfBothParts) {
  for (int size = 0; size < 40; ++size) {
    for (std::size_t count = 0; 2 * count <= static_cast<std::size_t>(size) + 1; ++count) {
      auto kept = numbers_up_to(size);
      auto taken = take_every_other(kept, count);
      EXPECT_EQ(taken.size(), count);
      EXPECT_TRUE(std::is_sorted(taken.begin(), taken.end()));
      EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
      std::vector<int> both;
      std::merge(kept.begin(), kept.end(), taken.begin(), taken.end(), std::back_inserter(both));
      EXPECT_EQ(both, numbers_up_to(size)) << "none lost, none twice";
    }
  }
}

struct Node {
  int depth = 0;
  int id = 0;
};

// A stack as depth-first search leaves it: sorted by depth, shallowest first.
std::vector<Node> random_stack(Rng& rng) {
  std::vector<Node> stack;
  int id = 0;
  const auto depths = static_cast<int>(1 + rng.below(12));
  for (int depth = 0; depth < depths; ++depth) {
    for (std::uint32_t i = rng.below(6); i > 0; --i) stack.push_back({depth, id++});
  }
  return stack;
}

std::map<int, int> count_by_depth(const std::vector<Node>& nodes) {
  std::map<int, int> counts;
  for (const Node& node : nodes) ++counts[node.depth];
  return counts;
}

TEST(SplitStack, GivesHalfOfEveryDepth) {
  Rng rng(17);
  for (int repetition = 0; repetition < 500; ++repetition) {
    auto stack = random_stack(rng);
    const auto before = count_by_depth(stack);
    const std::size_t size = stack.size();
    const auto given = split_stack(stack, Share::half());
    EXPECT_EQ(given.size(), size / 2);
    auto given_by_depth = count_by_depth(given);
    for (const auto& [depth, count] : before) {
      // Of an odd number of tasks the giver keeps one more: the newest, at the deepest depth.
      const int rounding = depth == before.rbegin()->first ? 2 : 1;
      EXPECT_LE(std::abs(2 * given_by_depth[depth] - count), rounding) << "depth " << depth;
    }
  }
}

TEST(SplitStack, FixedNumberGivesThatManyAndKeepsOne) {
  for (std::size_t k = 1; k < 12; ++k) {
    for (int size = 0; size < 24; ++size) {
      auto tasks = numbers_up_to(size);
      const auto given = split_stack(tasks, Share::tasks(k));
      EXPECT_EQ(given.size(), Share::tasks(k).of(static_cast<std::size_t>(size)));
      EXPECT_EQ(given.size() + tasks.size(), static_cast<std::size_t>(size));
      EXPECT_TRUE(size == 0 || !tasks.empty());
      EXPECT_TRUE(std::is_sorted(given.begin(), given.end()));
      EXPECT_TRUE(std::is_sorted(tasks.begin(), tasks.end()));
    }
  }
}

TEST(SplitStack, FixedNumberBelowHalfIsSpreadFromTheOldest) {
  auto tasks = numbers_up_to(10);
  EXPECT_THAT(split_stack(tasks, Share::tasks(2)), ElementsAre(0, 2));
  EXPECT_THAT(tasks, ElementsAre(1, 3, 4, 5, 6, 7, 8, 9));
}

TEST(SplitStack, FixedNumberAboveHalfGivesTheOldest) {
  auto tasks = numbers_up_to(10);
  EXPECT_THAT(split_stack(tasks, Share::tasks(7)), ElementsAre(0, 1, 2, 3, 4, 5, 6));
  EXPECT_THAT(tasks, ElementsAre(7, 8, 9));
}

TEST(SplitStack, LosesNoTaskAndDoublesNone) {
  Rng rng(23);
  for (int repetition = 0; repetition < 500; ++repetition) {
    auto tasks = numbers_up_to(static_cast<int>(rng.below(100)));
    const auto all = tasks;
    auto given = split_stack(tasks, Share::tasks(rng.below(60)));
    std::vector<int> both;
    std::merge(tasks.begin(), tasks.end(), given.begin(), given.end(), std::back_inserter(both));
    EXPECT_EQ(both, all);
  }
}

TEST(SplitStack, NothingToSpareGivesNothing) {
  std::vector<int> none;
  std::vector<int> one{1};
  EXPECT_THAT(split_stack(none, Share::half()), IsEmpty());
  EXPECT_THAT(split_stack(one, Share::half()), IsEmpty());
  EXPECT_THAT(split_stack(one, Share::tasks(5)), IsEmpty());
  EXPECT_THAT(one, ElementsAre(1));
}

TEST(SplitStack, MovesMoveOnlyTasks) {
  std::vector<std::unique_ptr<int>> tasks;
  for (int i = 0; i < 6; ++i) tasks.push_back(std::make_unique<int>(i));
  const auto half = split_stack(tasks, Share::half());
  const auto most = split_stack(tasks, Share::tasks(2));
  EXPECT_EQ(*half[0] + *half[1] + *half[2], 0 + 2 + 4);
  EXPECT_EQ(*most[0] + *most[1] + *tasks[0], 1 + 3 + 5);
}

// Notes the order in which its tasks run.
struct Recorder {
  using Task = int;
  using Result = std::vector<int>;
  void operator()(int task, Spawn<int>& spawn, std::vector<int>& ran) const {
    ran.push_back(task);
    if (task > 0 && task < 10) {
      spawn(10 * task + 1);
      spawn(10 * task + 2);
    }
  }
  static void reduce(std::vector<int>& into, std::vector<int>&& from) {
    into.insert(into.end(), from.begin(), from.end());
  }
};

TEST(TaskProblem, RunsNewestFirst) {
  const Recorder recorder;
  const TaskProblem problem(recorder);
  TaskStack<int> bag{1, 2};
  std::vector<int> ran;
  EXPECT_EQ(process(problem, bag, ran, 100), 6U);
  EXPECT_THAT(ran, ElementsAre(2, 22, 21, 1, 12, 11));
  EXPECT_THAT(bag, IsEmpty());
}

TEST(TaskProblem, StopsWhenTheQuantumSaysNo) {
  const Recorder recorder;
  const TaskProblem problem(recorder);
  TaskStack<int> bag{0, 1};
  std::vector<int> ran;
  EXPECT_EQ(process(problem, bag, ran, 2), 2U);
  EXPECT_THAT(ran, ElementsAre(1, 12));
  EXPECT_THAT(bag, ElementsAre(0, 11));
}

TEST(TaskProblem, TakesNothingForAnEmptyBag) {
  const Recorder recorder;
  const TaskProblem problem(recorder);
  auto bag = problem.empty_bag();
  auto ran = problem.identity();
  EXPECT_EQ(process(problem, bag, ran, 5), 0U);
  EXPECT_THAT(ran, IsEmpty());
}

TEST(TaskProblem, MergeAddsAllTasks) {
  const Recorder recorder;
  const TaskProblem problem(recorder);
  TaskStack<int> into{1};
  TaskStack<int> from{2, 3};
  problem.merge(into, std::move(from));
  EXPECT_THAT(into, ElementsAre(1, 2, 3));
  problem.merge(into, {});
  EXPECT_THAT(into, ElementsAre(1, 2, 3));
}

template <class P>
typename P::Bag packed_and_unpacked(const P& problem, const typename P::Bag& bag) {
  Packer packer;
  problem.pack(bag, packer);
  const auto bytes = packer.take();
  Unpacker unpacker(bytes);
  auto copy = problem.unpack(unpacker);
  EXPECT_EQ(unpacker.left(), 0U);
  return copy;
}

TEST(TaskProblem, BagsSurviveTheJourney) {
  const Recorder recorder;
  const TaskProblem problem(recorder);
  EXPECT_THAT(packed_and_unpacked(problem, {3, 1, 2}), ElementsAre(3, 1, 2));
  EXPECT_THAT(packed_and_unpacked(problem, {}), IsEmpty());
}

// Each task is a text whose letters are its children.
struct Letters {
  using Task = std::string;
  using Result = std::size_t;
  void operator()(std::string task, Spawn<std::string>& spawn, std::size_t& leaves) const {
    if (task.size() < 2) {
      ++leaves;
      return;
    }
    for (const char letter : task) spawn(std::size_t{1}, letter);
  }
  static void reduce(std::size_t& into, std::size_t&& from) { into += from; }
};

TEST(TaskProblem, CarriesNonTrivialTasks) {
  const Letters letters;
  const TaskProblem problem(letters);
  auto bag = packed_and_unpacked(problem, {"many letters", "", "x"});
  std::size_t leaves = 0;
  process(problem, bag, leaves, 1000);
  EXPECT_EQ(leaves, 12U + 1U + 1U);
}

struct Owner {
  using Task = std::unique_ptr<int>;
  using Result = int;
  void operator()(std::unique_ptr<int> task, Spawn<std::unique_ptr<int>>& spawn, int& sum) const {
    sum += *task;
    if (*task > 0) spawn(std::make_unique<int>(*task - 1));
  }
  static void reduce(int& into, int&& from) { into += from; }
};

TEST(TaskProblem, CarriesMoveOnlyTasks) {
  const Owner owner;
  const TaskProblem problem(owner);
  TaskStack<std::unique_ptr<int>> bag;
  bag.push_back(std::make_unique<int>(3));
  bag.push_back(std::make_unique<int>(4));
  auto journeyed = packed_and_unpacked(problem, bag);
  auto part = problem.split(journeyed, Share::half());
  problem.merge(part, std::move(journeyed));
  int sum = 0;
  process(problem, part, sum, 1000);
  EXPECT_EQ(sum, 6 + 10);
}

TEST(TaskProblem, ATaskThatThrowsIsGoneAndTheOthersStay) {
  struct Thrower {
    using Task = int;
    using Result = int;
    void operator()(int task, Spawn<int>& /*spawn*/, int& /*result*/) const { throw task; }
    static void reduce(int& /*into*/, int&& /*from*/) {}
  };
  const Thrower thrower;
  const TaskProblem problem(thrower);
  TaskStack<int> bag{1, 2};
  int result = 0;
  EXPECT_THROW(process(problem, bag, result, 5), int);
  EXPECT_THAT(bag, ElementsAre(1));
}

TEST(TaskProblem, ReducesAsTheFunctionDoes) {
  std::vector<int> into{1};
  TaskProblem<Recorder>::reduce(into, {2});
  EXPECT_THAT(into, ElementsAre(1, 2));
}

struct WithoutReduce {
  using Task = int;
  using Result = int;
  void operator()(int, Spawn<int>&, int&) const {}
};
struct Changing {
  using Task = int;
  using Result = int;
  void operator()(int, Spawn<int>&, int&) {}
  static void reduce(int&, int&&) {}
};
template <class T>
struct TaskOf {
  using Task = T;
  using Result = int;
  void operator()(T, Spawn<T>&, int&) const {}
  static void reduce(int&, int&&) {}
};
struct NoDefault {
  explicit NoDefault(int) {}
};

static_assert(TaskFunction<Recorder> && TaskFunction<Letters> && TaskFunction<Owner>);
static_assert(TaskFunction<TaskOf<std::vector<std::string>>>);
static_assert(!TaskFunction<WithoutReduce> && !TaskFunction<Changing> && !TaskFunction<int>);
static_assert(!TaskFunction<TaskOf<int*>> && !TaskFunction<TaskOf<NoDefault>>);
static_assert(Problem<TaskProblem<Recorder>> && Problem<TaskProblem<Letters>>);
static_assert(Problem<TaskProblem<Owner>>);
static_assert(!TaskFunction<TaskProblem<Recorder>> && !Problem<Recorder>, "one form or the other");

}  // namespace
}  // namespace belay::test
