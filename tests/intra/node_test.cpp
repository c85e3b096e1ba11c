#include "belay/intra/node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "tests/intra/hang_guard.hpp"
#include "tests/intra/problems.hpp"
#include "tests/intra/rounds.hpp"
#include "tests/intra/threads.hpp"

namespace belay::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

using TreeProblem = TaskProblem<Tree>;

// One run on a node of its own.
Tree::Result visit(const NodeOptions& options, TaskStack<Tree::Task> tasks) {
  const Tree tree;
  const TreeProblem problem(tree);
  Node<TreeProblem> node(problem, options);
  start(node, options.workers);
  put(node, std::move(tasks));
  return finish(node);
}

TEST(Node, CountsRightWithAnyNumberOfWorkers) {
  const HangGuard guard;
  const TaskStack<Tree::Task> root{{3, 12}};
  const auto expected = visit_sequentially(root);
  ASSERT_GT(expected.nodes, 5'000U);
  for (int workers = 1; workers <= 8; ++workers) {
    EXPECT_EQ(visit(options_for(workers), root), expected) << workers;
  }
}

TEST(Node, CountsRightWithAnyOptions) {
  const HangGuard guard;
  const TaskStack<Tree::Task> root{{3, 9}};
  const auto expected = visit_sequentially(root);
  for (const std::uint32_t quantum : {0U, 1U, 7U, kWithoutEnd}) {
    for (const int chunks_shown : {1, 2, 50}) {
      for (const Share share : {Share::half(), Share::tasks(1), Share::tasks(5)}) {
        for (const bool flag : {false, true}) {
          NodeOptions options = options_for(3);
          options.quantum = quantum;
          options.chunks_shown = chunks_shown;
          options.share = share;
          options.spin = flag;
          options.has_other_nodes = flag;
          ASSERT_EQ(visit(options, root), expected);
        }
      }
    }
  }
}

TEST(Node, CountsRightManyTimes) {
  const HangGuard guard;
  for (Rounds rounds(400); rounds.next();) {
    const int round = rounds.index();
    const TaskStack<Tree::Task> root{{static_cast<std::uint64_t>(round), 5}};
    NodeOptions options = options_for(1 + round % 4);
    options.spin = round % 3 == 0;
    ASSERT_EQ(visit(options, root), visit_sequentially(root)) << round;
  }
}

TEST(Node, CountsRightAgainAndAgainWithTheSameThreads) {
  // Work comes to a node that is idle, as loot does: in each round all workers wake up, or
  // some, and all go back to wait.
  const HangGuard guard;
  for (const int workers : {1, 2, 5}) {
    const Tree tree;
    const TreeProblem problem(tree);
    Node<TreeProblem> node(problem, options_for(workers));
    start(node, workers);
    Tree::Result expected;
    for (Rounds rounds(3'000); rounds.next();) {
      await_idle(node);
      std::vector<TaskStack<Tree::Task>> bags;
      const auto round = static_cast<std::uint64_t>(rounds.index());
      for (std::uint64_t i = 0; i < round % 4; ++i) {
        bags.push_back({{round + i, static_cast<int>(round % 5)}});
        Tree::reduce(expected, visit_sequentially(bags.back()));
      }
      node.put(std::move(bags));
    }
    EXPECT_EQ(finish(node), expected);
  }
}

TEST(Node, WorkMayComeWhileThereIsSome) {
  const HangGuard guard;
  const Tree tree;
  const TreeProblem problem(tree);
  Node<TreeProblem> node(problem, options_for(3));
  start(node, 3);
  Tree::Result expected;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const TaskStack<Tree::Task> root{{i, 4}};
    Tree::reduce(expected, visit_sequentially(root));
    put(node, root);
  }
  EXPECT_EQ(finish(node), expected);
}

TEST(Node, WithoutInitialWorkTheResultIsTheIdentity) {
  const HangGuard guard;
  for (int workers = 1; workers <= 8; ++workers) {
    EXPECT_EQ(visit(options_for(workers), {}), Tree::Result{}) << workers;
  }
}

TEST(Node, ManyMoreWorkersThanCores) {
  const HangGuard guard;
  const TaskStack<Tree::Task> root{{3, 11}};
  EXPECT_EQ(visit(options_for(64), root), visit_sequentially(root));
}

TEST(Node, WorkersMoveEveryChunkThatWasPublished) {
  const HangGuard guard;
  const Tree tree;
  const TreeProblem problem(tree);
  for (int workers = 1; workers <= 6; ++workers) {
    Node<TreeProblem> node(problem, options_for(workers));
    start(node, workers);
    put(node, {{3, 10}});
    put(node, {{4, 10}});
    const auto result = finish(node);
    const auto sum = sum_of(node);
    EXPECT_EQ(sum.tasks, result.nodes);
    EXPECT_EQ(sum.chunks_taken_back + sum.chunks_stolen, sum.chunks_published + 2);
    EXPECT_GE(sum.quanta, 1U);
  }
}

// Bags that can only be moved, and no default constructor.
struct Intervals {
  class Bag {
   public:
    Bag(long begin, long end) : begin_(std::make_unique<long>(begin)), end_(end) {}
    [[nodiscard]] std::size_t size() const {
      return begin_ ? static_cast<std::size_t>(end_ - *begin_) : 0;
    }

    std::unique_ptr<long> begin_;
    long end_;
  };
  using Result = long;

  [[nodiscard]] Bag empty_bag() const { return {0, 0}; }
  [[nodiscard]] long identity() const { return 0; }
  void process(Bag& bag, long& result, Quantum& quantum) const {
    while (bag.size() > 0 && quantum.take()) result += (*bag.begin_)++;
  }
  [[nodiscard]] Bag split(Bag& bag, Share share) const {
    const auto given = static_cast<long>(share.of(bag.size()));
    bag.end_ -= given;
    return {bag.end_, bag.end_ + given};
  }
  void merge(Bag& into, Bag&& from) const {
    if (from.size() == 0) return;
    if (into.size() != 0) throw std::logic_error("intervals cannot be joined");
    into = std::move(from);
  }
  void pack(const Bag&, Packer&) const {}
  [[nodiscard]] Bag unpack(Unpacker&) const { return empty_bag(); }
  static void reduce(long& into, long&& from) { into += from; }
};

TEST(Node, BagsNeedOnlyBeMovable) {
  const HangGuard guard;
  const Intervals problem;
  for (const int workers : {1, 2, 4}) {
    Node<Intervals> node(problem, options_for(workers));
    start(node, workers);
    put(node, Intervals::Bag(0, 100'000));
    EXPECT_EQ(finish(node), 100'000L * 99'999 / 2);
    EXPECT_EQ(sum_of(node).tasks, 100'000U);
  }
}

TEST(Node, TasksNeedOnlyBeMovable) {
  struct Countdown {
    using Task = std::unique_ptr<int>;
    using Result = std::vector<std::uint64_t>;
    void operator()(Task task, Spawn<Task>& spawn, Result& result) const {
      result.resize(1);
      ++result.front();
      for (int i = 0; i < 2 && *task > 0; ++i) spawn(std::make_unique<int>(*task - 1));
    }
    static void reduce(Result& into, Result&& from) {
      into.insert(into.end(), from.begin(), from.end());
    }
  };
  const HangGuard guard;
  const Countdown function;
  const TaskProblem problem(function);
  Node<TaskProblem<Countdown>> node(problem, options_for(3));
  start(node, 3);
  TaskStack<std::unique_ptr<int>> bag;
  bag.push_back(std::make_unique<int>(12));
  put(node, std::move(bag));
  std::uint64_t sum = 0;
  for (const std::uint64_t count : finish(node)) sum += count;
  EXPECT_EQ(sum, (1U << 13U) - 1);
}

// Each worker's scratch memory knows its thread, and cannot be moved.
struct Scratchy : Scripted {
  struct Local {
    Local() : thread(std::this_thread::get_id()) {}
    Local(const Local&) = delete;
    Local& operator=(const Local&) = delete;
    std::thread::id thread;
    long tasks = 0;
  };
  mutable std::atomic<int> locals{0};
  mutable std::atomic<bool> elsewhere{false};

  [[nodiscard]] Local make_local() const {
    ++locals;
    return {};
  }
  void process(Bag& bag, Local& local, long& result, Quantum& quantum) const {
    if (local.thread != std::this_thread::get_id()) elsewhere = true;
    while (!bag.empty() && quantum.take()) {
      const int task = bag.back();
      bag.pop_back();
      if (task > 0) bag.insert(bag.end(), {task - 1, task - 1});
      ++local.tasks;
      ++result;
    }
  }
};

TEST(Node, EachWorkerHasScratchMemoryMadeOnItsThread) {
  const HangGuard guard;
  const Scratchy problem;
  Node<Scratchy> node(problem, options_for(4));
  start(node, 4);
  put(node, {12});
  EXPECT_EQ(finish(node), (1 << 13) - 1);
  EXPECT_EQ(problem.locals, 4);
  EXPECT_FALSE(problem.elsewhere);
}

TEST(Node, StartsEachWorkerOnAThreadOfItsOwn) {
  const HangGuard guard;
  const Scripted problem;
  std::mutex mutex;
  std::set<int> started;
  std::set<std::thread::id> threads;
  Node<Scripted> node(problem, options_for(5));
  node.start(
      [&](int worker) {
        const std::lock_guard lock(mutex);
        started.insert(worker);
        threads.insert(std::this_thread::get_id());
      },
      [](int worker) { return robbing_order(worker, 5); });
  EXPECT_EQ(finish(node), 0);
  EXPECT_THAT(started, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(threads, SizeIs(5));
  EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
}

TEST(Node, ThreadThatCannotBeStartedFailsIt) {
  // Copying the call for the third thread fails as the thread itself would.
  struct OnStart {
    explicit OnStart(int* the_copies) : copies(the_copies) {}
    OnStart(const OnStart& other) : copies(other.copies) {
      if (++*copies == 4) throw std::runtime_error("no more threads");
    }
    void operator()(int /*worker*/) const {}
    int* copies;
  };
  const HangGuard guard;
  const Scripted problem;
  int copies = 0;
  {
    Node<Scripted> node(problem, options_for(5));
    node.start(OnStart(&copies), [](int worker) { return robbing_order(worker, 5); });
    EXPECT_EQ(await_failure(node), "cannot start a worker thread: no more threads");
    EXPECT_FALSE(node.idle()) << "some workers will never wait";
  }
}

TEST(Node, WithoutRobbingOrderDoesNotStart) {
  const Scripted problem;
  Node<Scripted> node(problem, options_for(3));
  EXPECT_THROW(node.start([](int) {},
                          [](int worker) -> std::vector<std::size_t> {
                            if (worker == 1) throw std::runtime_error("no order");
                            return robbing_order(worker, 3);
                          }),
               std::runtime_error);
}

TEST(Node, ThatWasNeverStartedCanBeEnded) {
  const Scripted problem;
  Node<Scripted> node(problem, options_for(3));
  EXPECT_FALSE(node.idle());
  node.end();
  node.join();
}

TEST(Node, WorkMayBePutBeforeTheStart) {
  const HangGuard guard;
  const Scripted problem;
  Node<Scripted> node(problem, options_for(2));
  put(node, {1, 2, 3});
  start(node, 2);
  EXPECT_EQ(finish(node), 3);
}

TEST(Node, MoreBagsThanWorkersAreMerged) {
  const HangGuard guard;
  for (const int workers : {1, 3}) {
    Scripted problem;
    int merges = 0;
    problem.on_merge = [&] { ++merges; };
    Node<Scripted> node(problem, options_for(workers));
    node.put({{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}});
    EXPECT_EQ(merges, 5 - workers);
    start(node, workers);
    EXPECT_EQ(finish(node), 10);
    const auto sum = sum_of(node);
    EXPECT_EQ(sum.chunks_stolen + sum.chunks_taken_back - sum.chunks_published,
              static_cast<std::uint64_t>(workers));
  }
}

TEST(Node, BagsWithoutTasksAreNotPut) {
  const HangGuard guard;
  const Scripted problem;
  Node<Scripted> node(problem, options_for(2));
  start(node, 2);
  await_idle(node);
  node.put({});
  node.put({{}, {}, {}});
  EXPECT_TRUE(node.idle());
  node.put({{}, {7}, {}});
  EXPECT_EQ(finish(node), 1);
  EXPECT_EQ(sum_of(node).chunks_stolen, 1U);
}

TEST(Node, WorkersWithoutWorkStayAsleep) {
  const HangGuard guard;
  Scripted problem;
  problem.on_task = [](int, std::vector<int>&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  };
  NodeOptions options = options_for(4);
  options.spin = true;
  Node<Scripted> node(problem, options);
  start(node, 4);
  put(node, {1});
  finish(node);
  // Once at the start, perhaps again over the one chunk, again when the task has ended.
  EXPECT_LE(sum_of(node).sleeps, 12U);
}

TEST(Node, IsNotIdleFromThePutOn) {
  const HangGuard guard;
  const Scripted problem;
  Node<Scripted> node(problem, options_for(1));
  EXPECT_FALSE(node.idle());
  put(node, {1});
  EXPECT_FALSE(node.idle());
}

TEST(Node, EachBagWakesAWorker) {
  // All are asleep; each of the tasks needs all the others to run at the same time.
  constexpr int kWorkers = 4;
  const HangGuard guard;
  Scripted problem;
  std::atomic<int> running{0};
  problem.on_task = [&](int, std::vector<int>&) {
    ++running;
    await([&] { return running >= kWorkers; });
  };
  Node<Scripted> node(problem, options_for(kWorkers));
  start(node, kWorkers);
  await_idle(node);
  node.put({{1}, {2}, {3}, {4}});
  EXPECT_EQ(finish(node), kWorkers);
}

}  // namespace
}  // namespace belay::test
