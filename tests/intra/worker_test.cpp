// A worker alone with the posts of its node, on the test's own thread: the last task ends the
// run, so that every step is determined.
#include "belay/intra/worker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "belay/core/thresholds.hpp"
#include "tests/intra/hang_guard.hpp"
#include "tests/intra/problems.hpp"
#include "tests/intra/threads.hpp"

namespace belay::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Bag = std::vector<int>;
using Deque = ChaseLevDeque<Chunk<Bag>>;

// Worker 0 of a node whose other posts have no threads.
class WorkerTest : public testing::Test {
 protected:
  static constexpr int kEnd = -1;  // the task that ends the run

  void make_node(const NodeOptions& options) {
    problem_.on_task = [this](int task, Bag& bag) {
      ran_.push_back(task);
      if (task == kEnd) node_->end();
      if (on_task_) on_task_(task, bag);
    };
    node_.emplace(problem_, options);
  }

  void push(std::size_t post, const std::vector<Bag>& bags) {
    for (const Bag& bag : bags) Deque::Owner(node_->posts[post].deque).push(make_chunk(Bag(bag)));
  }

  [[nodiscard]] std::int64_t chunks_on(std::size_t post) {
    return Deque::Thief(node_->posts[post].deque).size();
  }

  void run(std::vector<std::size_t> victims) {
    Worker<Scripted> worker(*node_, 0, std::move(victims));
    worker.run();
    result_ = worker.result().value_or(-1);
    statistics_ = worker.statistics();
  }

  const HangGuard guard_;
  Scripted problem_;
  std::function<void(int, Bag&)> on_task_;
  std::optional<NodeShared<Scripted>> node_;
  std::vector<int> ran_;
  long result_ = 0;
  WorkerStatistics statistics_;
};

TEST_F(WorkerTest, TakesFromItsOwnDequeNewestFirstThenRobsOldestFirst) {
  make_node(options_for(2));
  push(0, {{1}, {2}});
  push(1, {{5}, {6}, {kEnd}});
  push(2, {{3}, {4}});
  run({2, 1});
  EXPECT_THAT(ran_, ElementsAre(2, 1, 3, 4, 5, 6, kEnd));
  EXPECT_EQ(statistics_.chunks_taken_back, 2U);
  EXPECT_EQ(statistics_.chunks_stolen, 5U);
  EXPECT_EQ(statistics_.tasks, 7U);
  EXPECT_EQ(result_, 7);
}

TEST_F(WorkerTest, StartsToRobWhereItLastSucceeded) {
  make_node(options_for(3));
  push(2, {{1}});
  on_task_ = [this](int task, Bag&) {
    if (task != 1) return;
    // The first of the robbing order has something now, and so has the last victim.
    push(1, {{3}, {kEnd}});
    push(2, {{2}});
  };
  run({1, 2, 3});
  EXPECT_THAT(ran_, ElementsAre(1, 2, 3, kEnd));
}

TEST_F(WorkerTest, PublishesUntilItsDequeShowsWhatItShould) {
  NodeOptions options = options_for(2);
  options.chunks_shown = 3;
  make_node(options);
  push(2, {{kEnd, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}});
  std::vector<std::int64_t> shown;
  on_task_ = [&](int, Bag&) { shown.push_back(chunks_on(0)); };
  run({2, 1});
  ASSERT_FALSE(shown.empty());
  EXPECT_EQ(shown.front(), 3) << "before the first task";
}

TEST_F(WorkerTest, PublishesAllButTheNextOfCoarseTasks) {
  make_node(options_for(2));
  Bag bag(100, 1);
  bag.front() = kEnd;
  push(2, {bag});
  std::vector<std::int64_t> not_shown;
  std::int64_t left = 100;
  on_task_ = [&](int, Bag& own) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(kLongQuantumNs));
    --left;
    not_shown.push_back(static_cast<std::int64_t>(own.size()));
    if (left == 97) node_->end();
  };
  run({2, 1});
  ASSERT_EQ(not_shown.size(), 3U);
  EXPECT_EQ(not_shown[0], 24) << "two halvings before it is known how long tasks are";
  EXPECT_EQ(not_shown[1], 0);
  EXPECT_GT(chunks_on(0), 3);
}

TEST_F(WorkerTest, ShowsABoundedNumberOfCoarseChunks) {
  NodeOptions options = options_for(2);
  options.share = Share::tasks(1);
  make_node(options);
  push(2, {Bag(1000, 1)});
  int ran = 0;
  on_task_ = [&](int, Bag&) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(kLongQuantumNs));
    if (++ran == 2) node_->end();
  };
  run({2, 1});
  EXPECT_EQ(chunks_on(0), 32);
}

TEST_F(WorkerTest, PublishesTheShareItIsTold) {
  NodeOptions options = options_for(2);
  options.share = Share::tasks(3);
  make_node(options);
  push(2, {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}});
  std::vector<std::size_t> sizes;
  on_task_ = [&](int, Bag&) {
    Chunk<Bag>* chunk = nullptr;
    while (Deque::Thief(node_->posts[0].deque).steal(chunk) == Steal::got) {
      sizes.push_back(open_chunk<Bag>(chunk).size());
    }
    node_->end();
  };
  run({2, 1});
  EXPECT_THAT(sizes, ElementsAre(3, 3));
}

TEST_F(WorkerTest, DoesNotPublishWhereNobodyCouldTakeIt) {
  make_node(options_for(1));
  push(1, {{kEnd, 1, 2, 3, 4, 5, 6, 7}});
  run({1});
  EXPECT_EQ(statistics_.chunks_published, 0U);
  EXPECT_EQ(statistics_.tasks, 8U);
}

TEST_F(WorkerTest, PublishesAloneWhereOtherNodesMayTakeIt) {
  NodeOptions options = options_for(1);
  options.has_other_nodes = true;
  make_node(options);
  push(1, {{kEnd, 1, 2, 3, 4, 5, 6, 7}});
  run({1});
  EXPECT_GE(statistics_.chunks_published, 2U);
  EXPECT_EQ(statistics_.chunks_taken_back, statistics_.chunks_published);
}

TEST_F(WorkerTest, TaskThatCannotBeSharedIsNotPublished) {
  make_node(options_for(2));
  push(2, {{1}, {kEnd}});
  run({2, 1});
  EXPECT_EQ(statistics_.chunks_published, 0U);
}

TEST_F(WorkerTest, BeckonsThoseThatShowNothingBeforeItSleeps) {
  make_node(options_for(3));
  Threads thread(1, [&](int) { run({3, 1, 2}); });
  await([&] { return node_->barrier.waiting() == 1; });
  EXPECT_FALSE(node_->posts[0].attention);
  EXPECT_TRUE(node_->posts[1].attention);
  EXPECT_TRUE(node_->posts[2].attention);
  node_->end();
}

TEST_F(WorkerTest, DisturbsNobodyWhileItFindsWork) {
  make_node(options_for(3));
  push(2, {{1}, {kEnd}});
  std::vector<bool> beckoned;
  on_task_ = [&](int task, Bag&) {
    if (task == 1) beckoned = {node_->posts[1].attention, node_->posts[2].attention};
  };
  run({3, 1, 2});
  EXPECT_THAT(beckoned, ElementsAre(false, false));
}

TEST_F(WorkerTest, ComesBackFromAnyQuantumWhenBeckonedAndPublishes) {
  NodeOptions options = options_for(2);
  options.quantum = kWithoutEnd;
  make_node(options);
  push(2, {{9}});
  std::vector<std::int64_t> shown;
  on_task_ = [&](int task, Bag& bag) {
    if (task == 9) bag = {kEnd, 1, 2, 3, 4, 5, 6, 7};
    if (task == 7) node_->beckon(0);
    shown.push_back(chunks_on(0));
  };
  run({2, 1});
  ASSERT_GE(shown.size(), 3U);
  EXPECT_EQ(shown[1], 0) << "before it was beckoned";
  EXPECT_EQ(shown[2], 2) << "the next task after it";
}

TEST_F(WorkerTest, EndStopsItAtTheNextTask) {
  NodeOptions options = options_for(1);
  options.quantum = kWithoutEnd;
  make_node(options);
  push(1, {{1, 2, 3, kEnd, 4, 5}});
  run({1});
  EXPECT_THAT(ran_, ElementsAre(5, 4, kEnd));
  EXPECT_EQ(statistics_.tasks, 3U);
}

TEST_F(WorkerTest, OpensNoChunkAfterTheEnd) {
  make_node(options_for(2));
  push(0, {{1}, {2}, {kEnd}});
  push(1, {{3}});
  push(2, {{4}});
  run({2, 1});
  EXPECT_THAT(ran_, ElementsAre(kEnd));
  EXPECT_EQ(statistics_.chunks_taken_back, 1U);
  EXPECT_EQ(statistics_.chunks_stolen, 0U);
  EXPECT_EQ(chunks_on(0), 2);
  EXPECT_EQ(chunks_on(1), 1);
  EXPECT_EQ(chunks_on(2), 1);
}

TEST_F(WorkerTest, DoesNothingWhereTheEndCameFirst) {
  for (const bool spin : {false, true}) {
    NodeOptions options = options_for(2);
    options.spin = spin;
    make_node(options);
    push(2, {{1}});
    node_->end();
    run({2, 1});
    EXPECT_THAT(ran_, IsEmpty());
    EXPECT_EQ(result_, 0) << "the identity";
    EXPECT_EQ(chunks_on(2), 1);
  }
}

TEST_F(WorkerTest, CountsAmongTheHungryUntilItFindsWork) {
  make_node(options_for(2));
  int hungry_at_work = -1;
  on_task_ = [&](int, Bag&) { hungry_at_work = node_->hungry; };
  Threads thread(1, [&](int) { run({2, 1}); });
  await([&] { return node_->hungry == 1; });
  push(2, {{kEnd}});
  node_->chunk_appeared();
  thread.join();
  EXPECT_EQ(hungry_at_work, 0);
}

TEST_F(WorkerTest, RingsWhenHungryWhereOtherNodesCanHelp) {
  NodeOptions options = options_for(2);
  options.has_other_nodes = true;
  make_node(options);
  Threads thread(1, [&](int) { run({2, 1}); });
  EXPECT_TRUE(node_->doorbell.wait_for(std::nullopt));
  EXPECT_EQ(node_->hungry, 1);
  node_->end();
}

TEST_F(WorkerTest, RingsAgainBeforeItSleeps) {
  NodeOptions options = options_for(2);
  options.has_other_nodes = true;
  make_node(options);
  Threads thread(1, [&](int) { run({2, 1}); });
  // A ring that comes while it looks for work at home must not be its last.
  await([&] { return node_->barrier.waiting() == 1; });
  static_cast<void>(node_->doorbell.wait_for(std::nullopt));
  // Woken for a chunk that is gone.
  node_->chunk_appeared();
  EXPECT_TRUE(node_->doorbell.wait_for(std::nullopt));
  node_->end();
}

// Of a node that asks abroad before work runs out.
NodeOptions asks_ahead(int workers) {
  NodeOptions options = options_for(workers);
  options.has_other_nodes = true;
  options.rings_when_short = true;
  return options;
}

// Tasks above 3 spawn two of 3, those up to 3 one of the next lower number. A lone one of the
// former is no shortage, a lone one of the latter is.
TEST_F(WorkerTest, RingsOnceWhenItHadNothingToShowForAQuantum) {
  NodeOptions options = asks_ahead(1);
  options.quantum = 1;
  make_node(options);
  node_->tasks = 1'000;  // it never has few
  push(1, {Bag(8, 4)});
  std::vector<bool> rung;
  std::vector<std::int64_t> shown;
  on_task_ = [&](int task, Bag& bag) {
    shown.push_back(chunks_on(0));
    rung.push_back(node_->doorbell.answer());
    if (task > 1) bag.insert(bag.end(), task > 3 ? 2 : 1, task > 3 ? 3 : task - 1);
    if (ran_.size() == 56) node_->end();
  };
  run({1});
  ASSERT_EQ(shown.size(), 56U);
  ASSERT_GT(shown.front(), 0);
  int in_a_row = 0;
  int short_ones = 0;
  int others = 0;
  for (std::size_t i = 1; i < rung.size(); ++i) {
    if (shown[i] > 0 && in_a_row == 1) ++others;
    in_a_row = shown[i] > 0 ? 0 : in_a_row + 1;
    EXPECT_EQ(rung[i], in_a_row == 2) << i;
    if (in_a_row == 2) ++short_ones;
  }
  EXPECT_GT(short_ones, 0);
  EXPECT_GT(others, 0);
}

// Tasks so long that one for each worker is few: with one left it rings. With three it still has
// few, with four no longer.
TEST_F(WorkerTest, RingsOnceWhenItsNodeComesToHaveFewTasks) {
  NodeOptions options = asks_ahead(2);
  options.quantum = 1;
  make_node(options);
  node_->tasks = 5;
  push(2, {Bag(60, 1)});
  int tasks = 0;
  std::vector<int> rung_after;
  on_task_ = [&](int, Bag&) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(kLongQuantumNs));
    if (node_->doorbell.answer()) rung_after.push_back(tasks);
    ++tasks;
    if (tasks == 5) node_->tasks += 3;
    if (tasks == 8) node_->tasks += 4;
    if (tasks == 13) node_->end();
  };
  run({2, 1});
  EXPECT_EQ(node_->few, 2U);
  EXPECT_THAT(rung_after, ElementsAre(4, 11)) << "4, 3, 2, 1; 3, 2, 1; 4, 3, 2, 1 tasks left";
  EXPECT_EQ(node_->times_few, 2U);
}

// The next task may be the last one before a long wait.
TEST_F(WorkerTest, RingsBeforeTheLastCoarseTask) {
  make_node(asks_ahead(1));
  node_->tasks = 1'000;  // it never has few
  push(1, {Bag(8, 1)});
  std::vector<bool> rung;
  on_task_ = [&](int, Bag&) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(kLongQuantumNs));
    rung.push_back(node_->doorbell.answer());
    if (rung.size() == 8) node_->end();
  };
  run({1});
  ASSERT_EQ(rung.size(), 8U);
  EXPECT_TRUE(rung.back());
  EXPECT_EQ(std::count(rung.begin() + 1, rung.end(), true), 1) << "but for the first look for work";
}

TEST_F(WorkerTest, LooksAtTheNetworkBetweenQuantaAndRingsIfThereIsSomething) {
  NodeOptions options = options_for(1);
  options.quantum = 1;
  int looks = 0;
  options.network_calls = [&] { return ++looks == 2; };
  make_node(options);
  push(1, {{kEnd, 1, 2, 3, 4, 5, 6, 7}});
  std::vector<bool> rung;
  on_task_ = [&](int, Bag&) {
    rung.push_back(node_->doorbell.answer());
    std::this_thread::sleep_for(std::chrono::nanoseconds(NodeOptions::kWatchNs));
  };
  run({1});
  EXPECT_EQ(looks, 8) << "once after each quantum that is as long as the pause between looks";
  EXPECT_THAT(rung, ElementsAre(false, false, true, false, false, false, false, false));
}

TEST_F(WorkerTest, LooksAtTheNetworkNoMoreThanOnceInAWhile) {
  NodeOptions options = options_for(1);
  options.quantum = 1;
  int looks = 0;
  options.network_calls = [&] {
    ++looks;
    return false;
  };
  make_node(options);
  Bag bag(1000, 1);
  bag.front() = kEnd;
  push(1, {bag});
  const auto start = std::chrono::steady_clock::now();
  run({1});
  const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - start;
  EXPECT_LE(looks, 1 + time.count() / NodeOptions::kWatchNs);
}

TEST_F(WorkerTest, LooksAtTheNetworkWhileItSpins) {
  for (const bool spin : {true, false}) {
    NodeOptions options = options_for(1);
    options.spin = spin;
    std::atomic<int> looks = 0;
    options.network_calls = [&] {
      ++looks;
      return false;
    };
    make_node(options);
    Threads thread(1, [&](int) { run({1}); });
    await([&] { return node_->barrier.waiting() == 1; });
    EXPECT_EQ(looks > 1, spin);
    node_->end();
  }
}

TEST_F(WorkerTest, IsQuietWhenHungryWhereNobodyElseCanHelp) {
  make_node(options_for(2));
  Threads thread(1, [&](int) { run({2, 1}); });
  await([&] { return node_->barrier.waiting() == 1; });
  EXPECT_FALSE(node_->doorbell.answer());
  node_->end();
}

TEST_F(WorkerTest, RingsWhenItIsTheLastToWait) {
  make_node(options_for(1));
  Threads thread(1, [&](int) { run({1}); });
  EXPECT_TRUE(node_->doorbell.wait_for(std::nullopt));
  EXPECT_EQ(node_->barrier.waiting(), 1);
  node_->end();
}

TEST_F(WorkerTest, FailsTheNodeWhenATaskThrows) {
  make_node(options_for(2));
  push(0, {{1, 2}});
  on_task_ = [&](int task, Bag&) {
    if (task != 2) return;
    node_->end();  // lest it waits for ever
    throw std::runtime_error("out of luck");
  };
  run({2, 1});
  EXPECT_EQ(node_->failure, "out of luck");
  EXPECT_EQ(node_->barrier.waiting(), 1) << "a failed worker counts as waiting";
  EXPECT_TRUE(node_->doorbell.answer());
  EXPECT_EQ(node_->hungry, 0);
}

TEST_F(WorkerTest, HasNoResultWhenItFailsBeforeItBegins) {
  make_node(options_for(1));
  node_->end();
  problem_.on_identity = [] { throw std::runtime_error("no identity"); };
  run({1});
  EXPECT_EQ(result_, -1);
  EXPECT_EQ(node_->failure, "no identity");
}

TEST_F(WorkerTest, FixedQuantaHaveTheirLength) {
  NodeOptions options = options_for(1);
  options.quantum = 4;
  make_node(options);
  push(1, {{kEnd, 1, 2, 3, 4, 5, 6, 7}});
  run({1});
  EXPECT_EQ(statistics_.quanta, 2U);
}

TEST_F(WorkerTest, AdaptiveQuantaStartWithOneTask) {
  make_node(options_for(1));
  push(1, {{kEnd}});
  run({1});
  EXPECT_EQ(statistics_.quanta, 1U);
  make_node(options_for(1));
  push(1, {{kEnd, 1, 2}});
  run({1});
  EXPECT_GE(statistics_.quanta, 2U);
  EXPECT_LE(statistics_.quanta, 3U);
}

TEST_F(WorkerTest, MakesItsBagItsResultAndItsScratchOnce) {
  int made = 0;
  problem_.on_empty_bag = [&] { made += 1; };
  problem_.on_identity = [&] { made += 10; };
  problem_.on_make_local = [&] { made += 100; };
  make_node(options_for(1));
  push(1, {{1}, {2}, {kEnd}});
  run({1});
  EXPECT_EQ(made, 111);
}

}  // namespace
}  // namespace belay::test
