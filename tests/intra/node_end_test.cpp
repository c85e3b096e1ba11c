// The end of a run, at any moment.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "belay/core/rng.hpp"
#include "belay/intra/node.hpp"
#include "tests/intra/hang_guard.hpp"
#include "tests/intra/problems.hpp"
#include "tests/intra/rounds.hpp"
#include "tests/intra/threads.hpp"

namespace belay::test {
namespace {

// Tasks without end, each of which holds something that must be freed.
struct Endless {
  using Task = std::shared_ptr<int>;
  using Result = long;
  void operator()(Task task, Spawn<Task>& spawn, long& result) const {
    if (++result < 100) spawn(task);
    spawn(std::move(task));
  }
  static void reduce(long& into, long&& from) { into += from; }
};

TEST(NodeEnd, StopsAllWorkersInMidRunAndFreesAllTasks) {
  const HangGuard guard;
  const Endless function;
  const TaskProblem problem(function);
  const auto held = std::make_shared<int>();
  for (const std::uint32_t quantum : {0U, 64U, kWithoutEnd}) {
    for (const int workers : {1, 2, 4}) {
      NodeOptions options = options_for(workers);
      options.quantum = quantum;
      Node<TaskProblem<Endless>> node(problem, options);
      start(node, workers);
      put(node, {held, held, held});
      await([&] { return held.use_count() > 50; });
      node.end();
      node.join();
      EXPECT_EQ(node.failure(), std::nullopt);
      EXPECT_GT(node.result(), 0);
      EXPECT_GT(sum_of(node).tasks, 0U);
    }
    EXPECT_EQ(held.use_count(), 1);
  }
}

TEST(NodeEnd, MayComeAtAnyMoment) {
  // From before the first worker runs to long after the last one found work.
  const HangGuard guard;
  const Endless function;
  const TaskProblem problem(function);
  const auto held = std::make_shared<int>();
  Rng rng(5);
  for (Rounds rounds(600); rounds.next();) {
    const int repetition = rounds.index();
    NodeOptions options = options_for(1 + repetition % 4);
    options.quantum = repetition % 2 == 0 ? kWithoutEnd : 0;
    options.spin = repetition % 3 == 0;
    options.has_other_nodes = repetition % 5 == 0;
    Node<TaskProblem<Endless>> node(problem, options);
    start(node, options.workers);
    if (repetition % 7 != 0) put(node, {held});
    for (std::uint32_t i = rng.below(2'000); i > 0; --i) static_cast<void>(node.idle());
    if (repetition % 2 == 0) node.ask_to_publish();
    node.end();
    if (repetition % 2 == 0) node.ask_to_publish();
  }
  EXPECT_EQ(held.use_count(), 1);
}

TEST(NodeEnd, MayComeBeforeTheStart) {
  const HangGuard guard;
  const Scripted problem;
  Node<Scripted> node(problem, options_for(3));
  put(node, {1, 2});
  node.end();
  start(node, 3);
  node.join();
  EXPECT_EQ(node.result(), 0);
  EXPECT_EQ(sum_of(node).tasks, 0U);
}

TEST(NodeEnd, MayBeSaidTwiceAndJoinedTwice) {
  const HangGuard guard;
  const Scripted problem;
  Node<Scripted> node(problem, options_for(2));
  start(node, 2);
  node.end();
  node.end();
  node.join();
  node.join();
  EXPECT_EQ(node.result(), 0);
}

TEST(NodeEnd, WorkPutAfterItIsFreed) {
  const HangGuard guard;
  const Endless function;
  const TaskProblem problem(function);
  const auto held = std::make_shared<int>();
  {
    Node<TaskProblem<Endless>> node(problem, options_for(2));
    start(node, 2);
    node.end();
    put(node, {held, held});
    node.join();
    put(node, {held, held});
    EXPECT_EQ(sum_of(node).tasks, 0U);
  }
  EXPECT_EQ(held.use_count(), 1);
}

TEST(NodeEnd, LongTaskIsAskedToYield) {
  struct Patient : Scripted {
    mutable std::atomic<bool> began{false};
    void process(Bag& bag, Local& /*local*/, long& result, Quantum& quantum) const {
      if (bag.empty() || !quantum.take()) return;
      began = true;
      await([&] { return quantum.should_yield(); });
      ++result;
    }
  };
  const HangGuard guard;
  const Patient problem;
  Node<Patient> node(problem, options_for(1));
  start(node, 1);
  put(node, {1});
  await([&] { return problem.began.load(); });
  node.end();
  node.join();
  EXPECT_EQ(node.result(), 1);
}

}  // namespace
}  // namespace belay::test
