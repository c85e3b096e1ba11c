// When a node asks ahead, whom, and who is given what it asks for.
#include <gtest/gtest.h>

#include <set>

#include "tests/inter/protocol/steals.hpp"

namespace belay::test {
namespace {

TEST(Prefetch, IsSentOnceToTheRingNeighbourWhileThereStillIsWork) {
  auto all = options(3, 4);
  all.prefetch = Prefetch::ring;
  Fixture node(all);
  node.local(kIdle);
  EXPECT_EQ(node.sent().message.request, RequestKind::random) << "idle: nothing to hide behind";
  node.refuse(RequestKind::random);
  node.local(surplus(1));
  EXPECT_TRUE(node.actions.empty());
  node.local(kBusy);
  const Send send = node.sent();
  EXPECT_EQ(send.message.request, RequestKind::prefetch);
  EXPECT_EQ(send.to, 0);
  node.local(kBusy);
  EXPECT_TRUE(node.actions.empty());
  node.refuse(RequestKind::prefetch);
  node.local(kBusy);
  EXPECT_TRUE(node.actions.empty()) << "not again before the surplus recovered";
  node.local(surplus(1));
  node.local(kBusy);
  EXPECT_EQ(node.sent().message.request, RequestKind::prefetch);
}

TEST(Prefetch, GoesToAllTheOthersAndLeavesThePolicysVictimsAsTheyAre) {
  auto all = options(3, 7);
  Fixture without(all);
  all.prefetch = Prefetch::random;
  Fixture node(all);
  std::set<int> victims;
  bool alike = true;
  for (int i = 0; i < 100; ++i) {
    node.local(surplus(1));
    node.local(kBusy);
    const int ahead = node.sent().to;
    victims.insert(ahead);
    node.refuse(RequestKind::prefetch);
    node.local(kIdle);
    without.local(kBusy);
    without.local(kIdle);
    const int victim = node.sent().to;
    EXPECT_EQ(victim, without.sent().to);
    alike = alike && victim == ahead;
    node.refuse(RequestKind::random);
    without.refuse(RequestKind::random);
  }
  EXPECT_EQ(victims, (std::set<int>{0, 1, 2, 4, 5, 6}));
  EXPECT_FALSE(alike);
}

TEST(Prefetch, IsNotSentWhileFourTimesTheThresholdLieUntouched) {
  auto all = options(0, 4);
  all.prefetch = Prefetch::random;
  all.prefetch_below = 2;
  Fixture node(all);
  LocalState state = kBusy;
  state.arrived = 8;
  node.local(state);
  EXPECT_TRUE(node.actions.empty());
  state.arrived = 7;
  node.local(state);
  EXPECT_EQ(node.sent().message.request, RequestKind::prefetch);
}

TEST(Prefetch, IsServedOnlyFromASurplusAboveTheThresholdAndAChunk) {
  auto all = options(0, 4);
  all.prefetch_below = 3;
  Fixture node(all);
  node.request(3, RequestKind::prefetch, surplus(3));
  EXPECT_EQ(node.sends().at(0).message.kind, MessageKind::refusal);
  node.actions.clear();
  node.request(3, RequestKind::prefetch, surplus(4));
  EXPECT_EQ(node.gives().size(), 1U);
}

}  // namespace
}  // namespace belay::test
