// When the simulated communication thread looks, whose core it takes, and what a worker that is
// alone does for others.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "belay/core/task_problem.hpp"
#include "belay/inter/sim/simulation.hpp"

namespace belay::sim {
namespace {

// So many tasks, each the child of the one before: nobody can share them.
struct Chain {
  using Task = int;
  using Result = int;
  void operator()(Task left, Spawn<Task>& spawn, Result& done) const {
    ++done;
    if (left > 1) spawn(left - 1);
  }
  static void reduce(Result& into, Result&& from) { into += from; }
};

// Tasks that are all there from the beginning.
struct Heap {
  using Task = int;
  using Result = int;
  void operator()(Task count, Spawn<Task>& spawn, Result& done) const {
    ++done;
    for (int i = 1; i < count; ++i) spawn(1);
  }
  static void reduce(Result& into, Result&& from) { into += from; }
};

template <class Function>
Nanoseconds last_task(const SimulationOptions& options, int tasks) {
  const Function function;
  const TaskProblem problem(function);
  const auto outcome = Simulation(problem, options).run({tasks});
  EXPECT_EQ(outcome.result, tasks);
  return outcome.last_task;
}

struct Looks final : Observer {
  void handle_look(Nanoseconds now, int rank) override {
    auto& before = last.at(static_cast<std::size_t>(rank));
    if (before >= 0) closest = std::min(closest, now - before);
    before = now;
  }
  std::array<Nanoseconds, 2> last{-1, -1};
  Nanoseconds closest = std::numeric_limits<Nanoseconds>::max();
};

TEST(SimulatedThreads, DoNotLookWhileTheyAreHeldUp) {
  Looks looks;
  SimulationOptions options;
  options.costs.held_up_share = 1;
  options.costs.held_up = 2'000'000;
  ASSERT_LT(options.costs.look_around, options.costs.held_up);
  options.observers = {&looks};
  EXPECT_GT(last_task<Heap>(options, 1'000'000), 10 * options.costs.held_up);
  EXPECT_GE(looks.closest, options.costs.held_up);
}

// A tenth of its time, in which it is looking around.
SimulationOptions looks_often() {
  SimulationOptions options;
  options.nodes = 1;
  options.costs.local_steal = 0;  // of the first bag
  options.costs.look_around = 1'000'000;
  options.costs.look = 100'000;
  return options;
}

TEST(SimulatedThreads, TakeTheirTimeFromABusyWorkerIfTheyShareItsCore) {
  constexpr int kTasks = 1'000'000;
  SimulationOptions options = looks_often();
  options.workers = 1;
  const Nanoseconds work = kTasks * options.costs.task;
  EXPECT_EQ(last_task<Chain>(options, kTasks), work);
  options.costs.shares_cores = true;
  const auto longer = static_cast<double>(last_task<Chain>(options, kTasks) - work);
  EXPECT_NEAR(longer / static_cast<double>(work), 0.1, 0.02);
}

TEST(SimulatedThreads, TakeNoTimeFromAWorkerWhileAnotherOneWaits) {
  constexpr int kTasks = 1'000'000;
  SimulationOptions options = looks_often();
  options.workers = 2;
  const Nanoseconds elsewhere = last_task<Chain>(options, kTasks);
  options.costs.shares_cores = true;
  EXPECT_LT(last_task<Chain>(options, kTasks) - elsewhere, 10 * options.costs.look);
}

TEST(SimulatedThreads, AWorkerThatIsAlonePublishesNothingAndRingsForNobody) {
  struct Published final : Observer {
    void handle_published(Nanoseconds, int, ChunkId) override { ++chunks; }
    int chunks = 0;
  };
  Published published;
  SimulationOptions options;
  options.nodes = 1;
  options.workers = 1;
  options.quantum = 0;
  options.costs.local_steal = 0;  // of the first bag
  options.costs.shares_cores = true;
  options.observers = {&published};
  constexpr int kTasks = 100'000;
  EXPECT_EQ(last_task<Heap>(options, kTasks), kTasks * options.costs.task);
  EXPECT_EQ(published.chunks, 0);
  options.workers = 2;
  last_task<Heap>(options, kTasks);
  EXPECT_GT(published.chunks, 0);
}

}  // namespace
}  // namespace belay::sim
