// The real protocol on thousands of random schedules. A failure prints the seed; the same seed
// gives the same run.
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>

#include "belay/core/rng.hpp"
#include "belay/core/task_problem.hpp"
#include "belay/inter/sim/simulation.hpp"

namespace belay::sim {
namespace {

// A random tree: a task is the seed of its subtree and the depth that is left.
struct RandomTree {
  struct Task {
    std::uint64_t seed;
    int depth;
  };
  using Result = std::uint64_t;

  void operator()(Task task, Spawn<Task>& spawn, Result& count) const {
    ++count;
    if (task.depth == 0) return;
    Rng rng(task.seed);
    const std::uint32_t children = rng.below(4);
    for (std::uint32_t i = 0; i < children; ++i) spawn(Task{rng.next(), task.depth - 1});
  }
  static void reduce(Result& into, Result&& from) { into += from; }
};

using Tree = TaskProblem<RandomTree>;

std::uint64_t count_alone(RandomTree::Task root) {
  const RandomTree tree;
  TaskStack<RandomTree::Task> tasks{root};
  Spawn<RandomTree::Task> spawn(tasks);
  std::uint64_t count = 0;
  while (!tasks.empty()) {
    const auto task = tasks.back();
    tasks.pop_back();
    tree(task, spawn, count);
  }
  return count;
}

// A cluster, its parameters and its tree, all drawn from the seed.
struct Draw {
  explicit Draw(std::uint64_t seed) {
    Rng rng(seed);
    const auto below = [&rng](std::uint32_t bound) { return static_cast<int>(rng.below(bound)); };
    options.seed = seed;
    options.nodes = below(4) == 0 ? 1 + below(60) : 1 + below(9);
    options.workers = 1 + below(4);
    options.quantum = 1U << below(8);
    options.chunks_shown = static_cast<std::size_t>(1 + below(3));
    options.protocol.random_steals = below(4);
    options.protocol.lifelines = 1 + below(4);
    options.protocol.steal_half = below(4) != 0;
    options.protocol.prefetch = below(4) != 0;
    options.protocol.prefetch_below = static_cast<std::uint32_t>(1 + below(3));
    options.costs.task = 1 + below(1000);
    options.costs.wake_up = below(20'000);
    options.costs.pick_up = 1 + below(200'000);
    options.costs.idle_pick_up = 1 + below(20'000);
    options.costs.latency_min = 1 + below(5'000);
    options.costs.latency_max = options.costs.latency_min + below(200'000);
    options.costs.per_task_sent = below(3) == 0 ? 50'000 : 3;
    root = {rng.next(), 3 + below(22)};
  }
  SimulationOptions options;
  RandomTree::Task root{};
};

// Shards, so that ctest runs them side by side.
class Schedules : public testing::TestWithParam<std::uint64_t> {};
constexpr std::uint64_t kSeedsPerShard = 1000;

TEST_P(Schedules, EveryTaskIsDoneOnceAndTheEndComes) {
  const RandomTree function;
  const Tree tree(function);
  for (std::uint64_t seed = GetParam() * kSeedsPerShard; seed < (GetParam() + 1) * kSeedsPerShard;
       ++seed) {
    const Draw draw(seed);
    const auto outcome = Simulation(tree, draw.options).run({draw.root});
    const std::uint64_t expected = count_alone(draw.root);
    ASSERT_EQ(outcome.result, expected) << "seed " << seed;
    ASSERT_EQ(outcome.tasks, expected) << "seed " << seed;
    ASSERT_EQ(outcome.outcome, RunOutcome::success) << "seed " << seed;
  }
}

TEST_P(Schedules, AFailureOrStopAtAnyMomentEndsTheRunEverywhere) {
  const RandomTree function;
  const Tree tree(function);
  for (std::uint64_t seed = GetParam() * kSeedsPerShard; seed < (GetParam() + 1) * kSeedsPerShard;
       ++seed) {
    Draw draw(seed);
    const auto calm = Simulation(tree, draw.options).run({draw.root});
    Rng rng(seed, 1);
    const auto when =
        static_cast<std::uint32_t>(std::min<Nanoseconds>(calm.time + 1000, 0x7fffffff));
    for (std::uint32_t i = 0; i <= rng.below(3); ++i) {
      const auto nodes = static_cast<std::uint32_t>(draw.options.nodes);
      draw.options.mishaps.push_back(
          {rng.below(when), static_cast<int>(rng.below(nodes)),
           rng.below(2) == 0 ? RunOutcome::failed : RunOutcome::stopped});
    }
    const auto outcome = Simulation(tree, draw.options).run({draw.root});
    if (outcome.outcome == RunOutcome::success) {
      ASSERT_EQ(outcome.result, calm.result) << "seed " << seed;
    } else {
      ASSERT_LE(outcome.result, calm.result) << "seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Schedules, testing::Range<std::uint64_t>(0, 4));

TEST(Simulation, TheSameSeedGivesTheSameRun) {
  const RandomTree function;
  const Tree tree(function);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Draw draw(seed);
    const auto first = Simulation(tree, draw.options).run({draw.root});
    const auto second = Simulation(tree, draw.options).run({draw.root});
    EXPECT_EQ(first.time, second.time);
    EXPECT_EQ(first.events, second.events);
  }
}

TEST(Simulation, ABoundOnEventsTurnsAnEndlessRunIntoAnError) {
  const RandomTree function;
  const Tree tree(function);
  SimulationOptions options;
  options.most_events = 10;
  EXPECT_THROW(Simulation(tree, options).run({RandomTree::Task{1, 10}}), std::logic_error);
}

TEST(Simulation, SixteenNodesShareOneTree) {
  const RandomTree function;
  const Tree tree(function);
  SimulationOptions options;
  options.nodes = 16;
  RandomTree::Task root{3, 30};
  while (count_alone(root) < 100'000) ++root.seed;
  const auto outcome = Simulation(tree, options).run({root});
  int with_loot = 0;
  for (const auto& node : outcome.nodes) with_loot += node.loot_received > 0 ? 1 : 0;
  EXPECT_GE(with_loot, 15) << "every node but the first lives on loot";
}

}  // namespace
}  // namespace belay::sim
