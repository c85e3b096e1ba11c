// What a node shows to others, and whom it feeds: surplus for other nodes, and the workers that
// sleep for want of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "belay/core/thresholds.hpp"
#include "belay/intra/node.hpp"
#include "tests/intra/hang_guard.hpp"
#include "tests/intra/problems.hpp"

namespace belay::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using TreeProblem = TaskProblem<Tree>;

// One worker that shows chunks and stops at a gate within each task.
class SurplusTest : public testing::Test {
 protected:
  explicit SurplusTest(int workers = 1) {
    NodeOptions options = options_for(workers);
    options.has_other_nodes = true;
    options.chunks_shown = 3;
    options.quantum = kWithoutEnd;
    problem_.on_task = [this](int, std::vector<int>&) { gate_.pass(); };
    node_.emplace(problem_, options);
    start(*node_, workers);
  }

  ~SurplusTest() override {
    gate_.open_for_good();
    node_.reset();
  }

  static std::vector<std::size_t> sizes(const std::vector<std::vector<int>>& bags) {
    std::vector<std::size_t> sizes;
    for (const auto& bag : bags) sizes.push_back(bag.size());
    return sizes;
  }

  const HangGuard guard_;
  Gate gate_;
  Scripted problem_;
  std::optional<Node<Scripted>> node_;
};

TEST_F(SurplusTest, TakesTheOldestChunksUpToTheNumberAskedFor) {
  put(*node_, std::vector<int>(16));
  gate_.await(1);
  EXPECT_EQ(node_->surplus(), 3U);
  EXPECT_THAT(node_->take(0), IsEmpty());
  EXPECT_THAT(sizes(node_->take(2)), ElementsAre(8, 4));
  EXPECT_EQ(node_->surplus(), 1U);
  EXPECT_THAT(sizes(node_->take(5)), ElementsAre(2));
  EXPECT_EQ(node_->surplus(), 0U);
  EXPECT_THAT(node_->take(5), IsEmpty());
}

TEST_F(SurplusTest, WhatArrivedAndWasNotTouchedIsNoSurplus) {
  put(*node_, {1});
  gate_.await(1);
  node_->put({{2, 3, 4, 5}});
  EXPECT_EQ(node_->surplus(), 0U);
  EXPECT_THAT(node_->take(5), IsEmpty());
}

TEST_F(SurplusTest, BusyWorkerPublishesWhenAskedTo) {
  put(*node_, std::vector<int>(64));
  gate_.await(1);
  EXPECT_THAT(sizes(node_->take(3)), ElementsAre(32, 16, 8));
  gate_.open(1);
  gate_.await(2);
  EXPECT_EQ(node_->surplus(), 0U) << "its quantum has no end";
  node_->ask_to_publish();
  gate_.open(2);
  gate_.await(3);
  EXPECT_THAT(sizes(node_->take(5)), ElementsAre(3, 1, 1)) << "of the six that were left";
}

TEST_F(SurplusTest, ChunksRingTheDoorbellWhileSurplusIsWanted) {
  Node<Scripted>& node = *node_;
  put(node, std::vector<int>(1000));
  gate_.await(1);
  node.doorbell().answer();  // its hunger before
  node.take(3);
  node.want_surplus(true);
  node.ask_to_publish();
  gate_.open(1);
  EXPECT_TRUE(node.doorbell().wait_for(std::nullopt));
  gate_.await(2);
  node.want_surplus(false);
  node.doorbell().answer();
  node.take(3);
  node.ask_to_publish();
  gate_.open(2);
  gate_.await(3);
  EXPECT_FALSE(node.doorbell().answer());
}

TEST_F(SurplusTest, BusyNodeIsNeitherIdleNorHungry) {
  put(*node_, {1});
  gate_.await(1);
  EXPECT_FALSE(node_->idle());
  EXPECT_FALSE(node_->hungry());
}

class TwoWorkersTest : public SurplusTest {
 protected:
  TwoWorkersTest() : SurplusTest(2) {}
};

TEST_F(TwoWorkersTest, NodeIsHungryWhenOneOfThemFindsNothing) {
  Node<Scripted>& node = *node_;
  put(node, {1});
  gate_.await(1);
  while (!node.hungry()) node.doorbell().wait_for(std::nullopt);
  EXPECT_FALSE(node.idle()) << "the other one works";
}

TEST_F(TwoWorkersTest, NodeIsNotHungryWhileADequeShowsAChunk) {
  Node<Scripted>& node = *node_;
  put(node, {1});
  gate_.await(1);
  while (!node.hungry()) node.doorbell().wait_for(std::nullopt);
  put(node, std::vector<int>(16));
  gate_.await(2);
  EXPECT_EQ(node.surplus(), 3U);
  EXPECT_FALSE(node.hungry());
}

TEST_F(TwoWorkersTest, TheFullestDequeIsRobbedFirst) {
  Node<Scripted>& node = *node_;
  std::vector<int> bag(100);
  std::iota(bag.begin(), bag.end(), 0);
  put(node, std::move(bag));
  gate_.await(2);
  // One of them has stolen the other's first chunk, the even ones, and shows three chunks of
  // them; the other one shows two of its three, or has published a third again if it was called
  // back before its first task. Then one of the two is robbed first.
  int fullest = 0;
  if (node.surplus() == 3U + 3U) fullest = 1 - node.take(1).front().front() % 2;
  ASSERT_EQ(node.surplus(), 3U + 2U);
  const auto taken = node.take(1);
  ASSERT_THAT(sizes(taken), ElementsAre(25));
  EXPECT_EQ(taken.front().front() % 2, fullest);
}

TEST(Node, OfCoarseTasksADequeShowsMoreThanCounts) {
  const HangGuard guard;
  Gate gate;
  Scripted problem;
  problem.on_task = [&](int, std::vector<int>&) {
    gate.pass();
    std::this_thread::sleep_for(std::chrono::nanoseconds(2 * kLongQuantumNs));
  };
  NodeOptions options = options_for(1);
  options.has_other_nodes = true;
  options.chunks_shown = 3;
  Node<Scripted> node(problem, options);
  start(node, 1);
  put(node, std::vector<int>(64));
  gate.open(1);
  gate.await(2);
  EXPECT_EQ(node.surplus(), 3U);
  EXPECT_GT(node.shown(), 3U);
  EXPECT_GT(node.take(32).size(), 3U);
  EXPECT_EQ(node.surplus(), 0U);
  gate.open_for_good();
  finish(node);
}

TEST_F(SurplusTest, WhatArrivedCountsUntilAWorkerTakesIt) {
  put(*node_, {1});
  gate_.await(1);
  EXPECT_EQ(node_->arrived(), 0U);
  put(*node_, {2});
  put(*node_, {3});
  EXPECT_EQ(node_->arrived(), 2U);
  gate_.open(1);
  gate_.await(2);
  EXPECT_EQ(node_->arrived(), 1U);
}

// Where nobody asks ahead, the workers do not count.
TEST(Node, CountsTheTasksThatAreInItsBags) {
  const HangGuard guard;
  for (const bool rings : {true, false}) {
    Gate gate;
    Scripted problem;
    problem.on_task = [&](int task, std::vector<int>& bag) {
      bag.insert(bag.end(), static_cast<std::size_t>(task), 0);
      gate.pass();
    };
    NodeOptions options = options_for(1);
    options.has_other_nodes = true;
    options.rings_when_short = rings;
    options.quantum = 1;
    Node<Scripted> node(problem, options);
    node.put({std::vector<int>(64, 5), std::vector<int>(36, 5), {}});
    EXPECT_EQ(node.tasks(), 100U);
    start(node, 1);
    gate.open(3);
    gate.await(4);
    // One task with five children, and two of these.
    const std::uint64_t counted = rings ? 100 - 1 + 5 - 2 : 100;
    EXPECT_EQ(node.tasks(), counted);
    const auto taken = node.take(1);
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(node.tasks(), counted - taken.front().size());
    gate.open_for_good();
    await_idle(node);
    EXPECT_EQ(node.few() > 0, rings);
    EXPECT_EQ(node.tasks() == 0, rings);
    finish(node);
  }
}

TEST(Node, ChunksTakenAwayAreNotLost) {
  // The communication thread steals as much as it can, and puts what it took back.
  const HangGuard guard;
  for (const int workers : {1, 2, 4}) {
    const Tree tree;
    const TreeProblem problem(tree);
    NodeOptions options = options_for(workers);
    options.has_other_nodes = true;
    Node<TreeProblem> node(problem, options);
    start(node, workers);
    const TaskStack<Tree::Task> root{{3, 11}};
    put(node, root);
    while (!node.idle()) {
      auto bags = node.take(3);
      if (bags.empty()) node.ask_to_publish();
      for (const auto& bag : bags) EXPECT_FALSE(bag.empty());
      node.put(std::move(bags));
      std::this_thread::yield();
    }
    EXPECT_EQ(finish(node), visit_sequentially(root));
    EXPECT_EQ(sum_of(node).tasks, visit_sequentially(root).nodes);
  }
}

// Each task but the root waits until two workers are at it.
class SharingTest : public testing::TestWithParam<std::uint32_t> {
 protected:
  static constexpr int kRoot = 0;
  static constexpr int kLight = 1;
  static constexpr int kHeavy = 2;

  SharingTest() {
    problem_.on_task = [this](int task, std::vector<int>& bag) {
      if (task == kRoot) bag.assign(200, kHeavy);
      if (task == kHeavy) meet();
    };
    NodeOptions options = options_for(2);
    options.quantum = GetParam();
    node_.emplace(problem_, options);
    start(*node_, 2);
  }

  void meet() {
    std::unique_lock lock(mutex_);
    there_.insert(std::this_thread::get_id());
    changed_.notify_all();
    if (alone_) return;
    alone_ = !changed_.wait_for(lock, std::chrono::seconds(20), [&] { return there_.size() == 2; });
  }

  const HangGuard guard_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::thread::id> there_;
  bool alone_ = false;
  Scripted problem_;
  std::optional<Node<Scripted>> node_;
};

TEST_P(SharingTest, SleepingWorkerIsFedByAQuantumThatBeganWithOneTask) {
  await_idle(*node_);
  put(*node_, {kRoot});
  EXPECT_EQ(finish(*node_), 201);
  EXPECT_FALSE(alone_);
}

TEST_P(SharingTest, SleepingWorkerIsFedWhenTasksGrowHeavy) {
  put(*node_, std::vector<int>(400'000, kLight));
  await_idle(*node_);
  put(*node_, {kRoot});
  EXPECT_EQ(finish(*node_), 400'201);
  EXPECT_FALSE(alone_);
}

INSTANTIATE_TEST_SUITE_P(Quanta, SharingTest, testing::Values(0, 1, 128, kWithoutEnd),
                         [](const auto& the_case) {
                           return the_case.param == 0 ? "adaptive"
                                                      : "of_" + std::to_string(the_case.param);
                         });

}  // namespace
}  // namespace belay::test
