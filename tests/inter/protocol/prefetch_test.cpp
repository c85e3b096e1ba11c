// When a node asks ahead, whom, and who is given what it asks for.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <variant>

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

LocalState with_tasks(LocalState state, std::uint64_t tasks) {
  state.tasks = tasks;
  state.few = 40;
  state.times_few = 1;
  return state;
}

TEST(Prefetch, IsSentWithFewTasksHoweverManyChunksShowThem) {
  auto all = options(0, 4);
  all.prefetch = Prefetch::random;
  Fixture node(all);
  node.local(with_tasks(surplus(5), 40));
  EXPECT_TRUE(node.actions.empty());
  node.local(with_tasks(surplus(5), 39));
  const Send send = node.sent();
  EXPECT_EQ(send.message.request, RequestKind::prefetch);
  EXPECT_EQ(send.message.tasks, 39U);
}

TEST(Prefetch, IsNotSentWithFewTasksIfThereNeverWereMore) {
  auto all = options(0, 4);
  all.prefetch = Prefetch::random;
  Fixture node(all);
  LocalState state = with_tasks(surplus(5), 39);
  state.times_few = 0;
  node.local(state);
  EXPECT_TRUE(node.actions.empty());
  state.times_few = 1;
  node.local(state);
  EXPECT_EQ(node.sent().message.tasks, 39U);
}

TEST(Prefetch, IsSentAgainWithFewerTasksThanAtTheLastOne) {
  auto all = options(0, 4);
  all.prefetch = Prefetch::random;
  Fixture node(all);
  node.local(with_tasks(kBusy, 20));
  EXPECT_EQ(node.sent().message.tasks, 20U);
  node.local(with_tasks(kBusy, 19));
  EXPECT_TRUE(node.actions.empty()) << "the last one is not answered";
  node.refuse(RequestKind::prefetch);
  for (const std::uint64_t tasks : {20U, 30U}) {
    node.local(with_tasks(kBusy, tasks));
    EXPECT_TRUE(node.actions.empty());
  }
  node.local(with_tasks(kBusy, 19));
  EXPECT_EQ(node.sent().message.tasks, 19U);
  node.loot(1, RequestKind::prefetch, false);
  node.local(with_tasks(kBusy, 30));
  EXPECT_EQ(node.sent().message.tasks, 30U) << "loot came";
  node.refuse(RequestKind::prefetch);
  LocalState anew = with_tasks(kBusy, 35);
  node.local(anew);
  EXPECT_TRUE(node.actions.empty());
  anew.times_few = 2;
  node.local(anew);
  EXPECT_EQ(node.sent().message.tasks, 35U) << "it had many in between";
  node.refuse(RequestKind::prefetch);
  node.local(with_tasks(kIdle, 0));
  EXPECT_EQ(node.sent().message.request, RequestKind::random);
}

TEST(Prefetch, IsSentForWantOfSurplusWhateverWasSentForWantOfTasks) {
  auto all = options(0, 4);
  all.prefetch = Prefetch::random;
  Fixture node(all);
  for (int i = 0; i < 3; ++i) {
    node.local(with_tasks(kBusy, 20));
    EXPECT_EQ(node.sent().message.request, RequestKind::prefetch);
    node.refuse(RequestKind::prefetch);
    node.local(with_tasks(surplus(1), 20));
    EXPECT_TRUE(node.actions.empty());
  }
}

TEST(Prefetch, IsNotSentWithFewTasksThatLieUntouched) {
  auto all = options(0, 4);
  all.prefetch = Prefetch::random;
  Fixture node(all);
  LocalState state = with_tasks(kBusy, 39);
  state.arrived = 4;
  node.local(state);
  EXPECT_TRUE(node.actions.empty());
  state.arrived = 3;
  node.local(state);
  EXPECT_EQ(node.sent().message.tasks, 39U);
}

TEST(Prefetch, GoesToTheRingNeighbourWithFewTasksToo) {
  auto all = options(3, 4);
  all.prefetch = Prefetch::ring;
  Fixture node(all);
  node.local(with_tasks(surplus(5), 39));
  EXPECT_EQ(node.sent().to, 0);
}

TEST(Prefetch, IsServedByWhoHasASurplusAndMoreThanTwiceTheTasks) {
  Fixture node(options(0, 4));
  const auto serves = [&](std::uint64_t tasks, const LocalState& state) {
    node.actions.clear();
    node.request(3, RequestKind::prefetch, state, 0, tasks);
    EXPECT_EQ(node.gives().size() + node.sends().size(), 1U);
    return node.gives().size() == 1;
  };
  EXPECT_TRUE(serves(9, with_tasks(surplus(1), 20)));
  EXPECT_FALSE(serves(10, with_tasks(surplus(1), 20)));
  EXPECT_TRUE(serves(10, with_tasks(surplus(9), 21)));
  EXPECT_FALSE(serves(0, with_tasks(kBusy, 20)));
}

TEST(Prefetch, WorkersArePromptedToPublishOnlyWhereThereIsNoSurplus) {
  Fixture node(options(0, 4));
  const auto prompts = [&](const LocalState& state) {
    node.actions.clear();
    node.request(3, RequestKind::prefetch, state, 0, 100);
    EXPECT_EQ(node.sends().size(), 1U);
    return std::holds_alternative<AskToPublish>(node.actions.back());
  };
  EXPECT_TRUE(prompts(with_tasks(kBusy, 20)));
  EXPECT_FALSE(prompts(with_tasks(surplus(1), 20)));
  // What it was to be given is gone: there is private work alone.
  node.actions.clear();
  node.request(3, RequestKind::prefetch, with_tasks(surplus(1), 20));
  const Give give = node.gives().at(0);
  node.actions.clear();
  node.steals.nothing_to_give(give, with_tasks(surplus(1), 20), node.actions);
  EXPECT_TRUE(std::holds_alternative<AskToPublish>(node.actions.back()));
}

TEST(Prefetch, NoOtherRequestSaysHowManyTasksThereAreOrIsRefusedForIt) {
  Fixture node(options(0, 4));
  for (const RequestKind kind : {RequestKind::random, RequestKind::lifeline}) {
    node.request(3, kind, with_tasks(surplus(1), 1), 0, 100);
    EXPECT_EQ(node.gives().size(), 1U);
    node.actions.clear();
    node.local(with_tasks(kHungry, 7));
    const Send send = node.sent();
    EXPECT_EQ(send.message.request, kind);
    EXPECT_EQ(send.message.tasks, 0U);
    node.refuse(kind);
  }
}

}  // namespace
}  // namespace belay::test
