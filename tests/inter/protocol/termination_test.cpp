#include "belay/inter/protocol/termination.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace belay {
namespace {

// A tree of nodes whose messages the test delivers, in the order it likes.
class Tree {
 public:
  explicit Tree(int size) {
    for (int rank = 0; rank < size; ++rank) nodes_.emplace_back(rank, size);
    loot.resize(nodes_.size());
    ready.assign(nodes_.size(), false);
  }

  Termination& node(int rank) { return nodes_[static_cast<std::size_t>(rank)]; }

  void advance(int rank) {
    Actions actions;
    const auto at = static_cast<std::size_t>(rank);
    const bool drained = node(rank).phase() != Phase::working;
    node(rank).advance(drained || ready[at], loot[at], actions);
    post(rank, actions);
  }

  void advance_all() {
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) advance(static_cast<int>(rank));
  }

  // Delivers the oldest message (or the newest, to turn the order around).
  void deliver(bool newest = false) {
    const auto [from, send] = newest ? under_way.back() : under_way.front();
    newest ? under_way.pop_back() : under_way.pop_front();
    Actions actions;
    switch (send.message.kind) {
      case MessageKind::ask:
        node(send.to).handle_ask(send.message, actions);
        break;
      case MessageKind::vote:
        node(send.to).handle_vote(from, send.message);
        break;
      default:
        node(send.to).handle_report(from, send.message);
        break;
    }
    post(send.to, actions);
    advance(send.to);
  }

  // Lets all messages arrive; returns how many there were.
  int settle(bool newest = false) {
    advance_all();
    int delivered = 0;
    for (; !under_way.empty() && delivered < 100'000; ++delivered) deliver(newest);
    return delivered;
  }

  [[nodiscard]] bool all_done() const {
    for (const auto& node : nodes_) {
      if (!node.done()) return false;
    }
    return true;
  }

  std::vector<LootCount> loot;
  std::vector<bool> ready;
  std::deque<std::pair<int, Send>> under_way;

 private:
  void post(int from, const Actions& actions) {
    for (const Action& action : actions) under_way.emplace_back(from, std::get<Send>(action));
  }

  std::vector<Termination> nodes_;
};

TEST(Termination, ANodeAloneEndsAtItsFirstIdleVerdict) {
  Tree tree(1);
  tree.settle();
  EXPECT_FALSE(tree.all_done());
  tree.ready[0] = true;
  tree.settle();
  tree.settle();
  tree.settle();
  EXPECT_TRUE(tree.all_done());
  EXPECT_EQ(tree.node(0).outcome(), RunOutcome::success);
}

TEST(Termination, EndsForAnyNumberOfNodesInEitherOrderOfArrival) {
  for (int size = 2; size <= 60; ++size) {
    for (const bool newest : {false, true}) {
      Tree tree(size);
      tree.ready.assign(static_cast<std::size_t>(size), true);
      const int messages = tree.settle(newest);
      EXPECT_TRUE(tree.all_done()) << size;
      EXPECT_EQ(tree.node(size - 1).outcome(), RunOutcome::success);
      // Two working rounds and one draining: a vote and an ask on each edge, the first ask
      // saved, and one ask to leave.
      EXPECT_EQ(messages, (size - 1) * 6) << size;
    }
  }
}

TEST(Termination, OneBusyNodeKeepsAllWaiting) {
  Tree tree(9);
  tree.ready.assign(9, true);
  tree.ready[7] = false;
  tree.settle();
  EXPECT_EQ(tree.node(0).phase(), Phase::working);
  tree.ready[7] = true;
  tree.settle();
  EXPECT_TRUE(tree.all_done());
}

TEST(Termination, LootUnderWayKeepsAllWaiting) {
  Tree tree(3);
  tree.ready.assign(3, true);
  tree.loot[1].sent = 1;
  tree.advance_all();
  for (int i = 0; i < 300; ++i) tree.deliver();
  EXPECT_EQ(tree.node(0).phase(), Phase::working);
  tree.loot[2].received = 1;
  tree.settle();
  EXPECT_TRUE(tree.all_done());
}

// The mistake that four counters are there for: node 2 votes, is woken by loot that node 1
// sends after it counted, and the sums balance although node 2 is at work.
TEST(Termination, ANodeWokenAfterItsVoteGivesItselfAway) {
  Tree tree(3);
  tree.ready[2] = true;
  tree.advance(2);  // votes 0, 0
  // Node 2 now sends nothing more, but gets loot of node 1, and hands some back to it.
  tree.loot[1] = {1, 1};
  tree.loot[2] = {1, 1};
  tree.ready[2] = false;  // still at work on it
  tree.ready[0] = tree.ready[1] = true;
  tree.settle();
  EXPECT_EQ(tree.node(0).phase(), Phase::working);
  tree.ready[2] = true;
  tree.settle();
  EXPECT_TRUE(tree.all_done());
}

TEST(Termination, AFailureEndsTheRunWithoutAnyVote) {
  Tree tree(20);
  tree.node(17).report(RunOutcome::failed, 17);
  tree.settle();
  EXPECT_TRUE(tree.all_done());
  for (int rank = 0; rank < 20; ++rank) {
    EXPECT_EQ(tree.node(rank).outcome(), RunOutcome::failed);
    EXPECT_EQ(tree.node(rank).failed_rank(), 17);
  }
}

TEST(Termination, AReportThatIsOvertakenStillEndsTheRunAsAFailure) {
  Tree tree(2);
  tree.ready.assign(2, true);
  tree.node(1).report(RunOutcome::failed, 1);
  tree.advance(1);
  ASSERT_EQ(tree.under_way.size(), 1U);  // no vote beside the report
  const auto report = tree.under_way.front();
  tree.under_way.clear();
  tree.settle();
  EXPECT_EQ(tree.node(0).phase(), Phase::working);
  tree.under_way.push_back(report);
  tree.settle();
  EXPECT_TRUE(tree.all_done());
  EXPECT_EQ(tree.node(0).outcome(), RunOutcome::failed);
}

TEST(Termination, OfTwoFailuresTheLowestRankWinsAndAFailureBeatsAStop) {
  Tree tree(3);
  tree.node(0).report(RunOutcome::failed, 2);
  tree.node(0).report(RunOutcome::failed, 1);
  tree.node(0).report(RunOutcome::stopped, 0);
  tree.settle();
  EXPECT_EQ(tree.node(2).outcome(), RunOutcome::failed);
  EXPECT_EQ(tree.node(2).failed_rank(), 1);
}

TEST(Termination, WhatComesAfterTheDecisionIsDropped) {
  Tree tree(5);
  tree.ready.assign(5, true);
  tree.advance_all();
  while (tree.node(0).phase() == Phase::working) tree.deliver();
  tree.node(3).report(RunOutcome::failed, 3);
  tree.node(0).report(RunOutcome::stopped, 0);
  tree.settle();
  EXPECT_TRUE(tree.all_done());
  EXPECT_EQ(tree.node(0).outcome(), RunOutcome::success);
}

TEST(Termination, NobodyLeavesWhileLootOfAFailedRunIsUnderWay) {
  Tree tree(6);
  tree.loot[4].sent = 1;
  tree.node(5).report(RunOutcome::failed, 5);
  tree.advance_all();
  for (int i = 0; i < 200; ++i) tree.deliver();
  for (int rank = 0; rank < 6; ++rank) EXPECT_NE(tree.node(rank).phase(), Phase::leaving);
  tree.loot[2].received = 1;
  tree.settle();
  EXPECT_TRUE(tree.all_done());
}

// A vote of the working phase may arrive after the vote of the draining phase; the parent does
// not leave before it has both.
TEST(Termination, AParentWaitsForAVoteThatWasOvertaken) {
  Tree tree(2);
  tree.ready[1] = true;
  tree.advance(1);
  ASSERT_EQ(tree.under_way.size(), 1U);
  const auto overtaken = tree.under_way.front();
  tree.under_way.clear();
  tree.node(0).report(RunOutcome::stopped, 0);
  tree.advance(0);
  tree.deliver();  // the ask to drain
  tree.deliver();  // the vote for it
  EXPECT_EQ(tree.node(0).phase(), Phase::draining);
  tree.under_way.push_back(overtaken);
  tree.settle();
  EXPECT_TRUE(tree.all_done());
}

// An ask may be overtaken by the ask to drain; the child does not leave before it has both.
TEST(Termination, AChildWaitsForAnAskThatWasOvertaken) {
  Tree tree(2);
  tree.ready.assign(2, true);
  tree.advance(1);
  tree.deliver();  // the first round is complete, the second is asked for
  ASSERT_EQ(tree.under_way.size(), 1U);
  const auto overtaken = tree.under_way.front();
  tree.under_way.clear();
  tree.node(0).report(RunOutcome::stopped, 0);
  tree.settle();
  EXPECT_TRUE(tree.node(0).done());
  EXPECT_FALSE(tree.node(1).done());
  tree.under_way.push_back(overtaken);
  tree.settle();
  EXPECT_TRUE(tree.all_done());
}

}  // namespace
}  // namespace belay
