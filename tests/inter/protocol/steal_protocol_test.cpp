// Random and lifeline requests: who is asked, and what becomes of a request.
#include "belay/inter/protocol/steal_protocol.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <set>
#include <variant>

#include "tests/inter/protocol/steals.hpp"

namespace belay::test {
namespace {

TEST(StealProtocol, AsksWRandomVictimsThenEachLifelineThenIsSilent) {
  auto all = options(0, 8);
  all.random_steals = 2;
  Fixture node(all);
  for (int i = 0; i < 2; ++i) {
    node.local(kIdle);
    const Send send = node.sent();
    EXPECT_EQ(send.message.request, RequestKind::random);
    EXPECT_NE(send.to, 0);
    node.refuse(RequestKind::random);
  }
  for (int lifeline : {1, 2, 4}) {
    node.local(kIdle);
    const Send send = node.sent();
    EXPECT_EQ(send.message.request, RequestKind::lifeline);
    EXPECT_EQ(send.to, lifeline);
    node.refuse(RequestKind::lifeline);
  }
  node.local(kIdle);
  EXPECT_TRUE(node.actions.empty());
  EXPECT_TRUE(node.steals.quiet());
}

TEST(StealProtocol, HasOneRequestUnansweredAtATime) {
  Fixture node(options(0, 8));
  node.local(kIdle);
  node.sent();
  node.local(kIdle);
  node.local(kHungry);
  EXPECT_TRUE(node.actions.empty());
  EXPECT_FALSE(node.steals.quiet());
}

TEST(StealProtocol, RandomVictimsAreAllTheOthers) {
  std::set<int> victims;
  auto all = options(3, 7);
  for (all.seed = 0; all.seed < 200; ++all.seed) {
    Fixture node(all);
    node.local(kIdle);
    victims.insert(node.sent().to);
  }
  EXPECT_EQ(victims, (std::set<int>{0, 1, 2, 4, 5, 6}));
}

TEST(StealProtocol, SetsLifelinesWhileOneOfItsWorkersIsBusy) {
  auto all = options(0, 2);
  all.random_steals = 0;
  Fixture node(all);
  node.local(kHungry);
  EXPECT_EQ(node.sent().message.request, RequestKind::lifeline);
}

TEST(StealProtocol, ALifelineIsAskedAgainOnlyAfterItsLoot) {
  auto all = options(0, 2);
  all.random_steals = 0;
  Fixture node(all);
  node.local(kIdle);
  node.sent();
  node.refuse(RequestKind::lifeline);
  node.local(kBusy);
  node.local(kIdle);
  EXPECT_TRUE(node.actions.empty());
  node.loot(1, RequestKind::lifeline, true);
  node.local(kIdle);
  EXPECT_EQ(node.sent().message.request, RequestKind::lifeline);
}

TEST(StealProtocol, LateLootThatOvertakesTheRefusalFreesTheLifeline) {
  auto all = options(0, 2);
  all.random_steals = 0;
  Fixture node(all);
  node.local(kIdle);
  node.sent();
  node.loot(1, RequestKind::lifeline, true);
  node.local(kIdle);
  EXPECT_TRUE(node.actions.empty()) << "the refusal is still owed";
  node.refuse(RequestKind::lifeline);
  node.local(kIdle);
  EXPECT_EQ(node.sent().message.request, RequestKind::lifeline);
}

TEST(StealProtocol, GivesHalfOfTheChunksRoundedUp) {
  for (const auto& [chunks, given] : {std::pair{1U, 1U}, {2U, 1U}, {5U, 3U}, {8U, 4U}}) {
    Fixture node(options(0, 4));
    node.request(2, RequestKind::random, surplus(chunks));
    ASSERT_EQ(node.gives().size(), 1U);
    EXPECT_EQ(node.gives()[0].to, 2);
    EXPECT_EQ(node.gives()[0].chunks, given);
    EXPECT_FALSE(node.gives()[0].message.late);
    EXPECT_EQ(node.steals.loot().sent, 1U) << "counted before the tasks leave the deque";
  }
}

TEST(StealProtocol, WithAFixedShareGivesOneChunk) {
  auto all = options(0, 4);
  all.steal_half = false;
  Fixture node(all);
  node.request(2, RequestKind::random, surplus(8));
  ASSERT_EQ(node.gives().size(), 1U);
  EXPECT_EQ(node.gives()[0].chunks, 1U);
}

TEST(StealProtocol, ARefusalTellsPrivateWorkFromNoneAndMakesWorkersPublish) {
  Fixture node(options(0, 4));
  node.request(1, RequestKind::random, kBusy);
  ASSERT_EQ(node.actions.size(), 2U);
  EXPECT_TRUE(std::get<Send>(node.actions[0]).message.has_private_work);
  EXPECT_TRUE(std::holds_alternative<AskToPublish>(node.actions[1]));
  node.actions.clear();
  node.request(1, RequestKind::random, kIdle);
  EXPECT_FALSE(node.sent().message.has_private_work);
  EXPECT_FALSE(node.steals.wants_surplus()) << "a random request is not remembered";
}

TEST(StealProtocol, SeveralRememberedLifelinesGetFairSharesOfTheFirstSurplus) {
  Fixture node(options(0, 8));
  for (int thief : {7, 6, 4}) node.request(thief, RequestKind::lifeline, kIdle);
  EXPECT_TRUE(node.steals.wants_surplus());
  node.actions.clear();
  node.local(surplus(12));
  const auto gives = node.gives();
  ASSERT_EQ(gives.size(), 3U);
  for (const Give& give : gives) {
    EXPECT_EQ(give.chunks, 3U);
    EXPECT_TRUE(give.message.late);
  }
  node.actions.clear();
  node.local(surplus(12));
  EXPECT_TRUE(node.actions.empty()) << "one loot per request";
}

TEST(StealProtocol, ASurplusTooSmallForAllServesTheOldestFirst) {
  Fixture node(options(0, 8));
  for (int thief : {7, 6, 4}) node.request(thief, RequestKind::lifeline, kIdle);
  node.local(surplus(2));
  ASSERT_EQ(node.gives().size(), 2U);
  EXPECT_EQ(node.gives()[0].to, 7);
  EXPECT_EQ(node.gives()[1].to, 6);
  node.actions.clear();
  node.local(surplus(1));
  ASSERT_EQ(node.gives().size(), 1U);
  EXPECT_EQ(node.gives()[0].to, 4);
}

TEST(StealProtocol, AGiveThatFindsNothingRefusesAndIsNotCounted) {
  Fixture node(options(0, 4));
  node.request(2, RequestKind::random, surplus(1));
  const Give give = node.gives().at(0);
  node.actions.clear();
  node.steals.nothing_to_give(give, surplus(1), node.actions);
  EXPECT_EQ(node.steals.loot().sent, 0U);
  EXPECT_EQ(node.sends().at(0).message.kind, MessageKind::refusal);
  EXPECT_TRUE(std::holds_alternative<AskToPublish>(node.actions.at(1)));
  EXPECT_EQ(node.steals.statistics().received.loot[0], 0U);
}

TEST(StealProtocol, ALateGiveThatFindsNothingIsRememberedAgainWithoutASecondRefusal) {
  Fixture node(options(0, 8));
  node.request(7, RequestKind::lifeline, kIdle);
  node.actions.clear();
  node.local(surplus(1));
  const Give give = node.gives().at(0);
  node.actions.clear();
  node.steals.nothing_to_give(give, kBusy, node.actions);
  EXPECT_TRUE(node.actions.empty());
  EXPECT_TRUE(node.steals.wants_surplus());
}

TEST(StealProtocol, HalfIsOfTheChunksThatCountButEachOneServesARememberedThief) {
  const LocalState halves{2, false, false, 5};
  Fixture node(options(0, 8));
  node.request(1, RequestKind::random, halves);
  EXPECT_EQ(node.gives().at(0).chunks, 1U);
  for (int thief : {1, 2, 3, 4}) node.request(thief, RequestKind::lifeline, kBusy);
  node.actions.clear();
  node.local(halves);
  EXPECT_EQ(node.gives().size(), 4U);
  EXPECT_FALSE(node.steals.wants_surplus());
}

TEST(StealProtocol, AfterTheEndNothingIsAskedGivenOrRemembered) {
  Fixture node(options(0, 8));
  node.request(7, RequestKind::lifeline, kIdle);
  node.actions.clear();
  node.steals.close();
  node.local(surplus(5));
  node.local(kIdle);
  EXPECT_TRUE(node.actions.empty());
  node.request(6, RequestKind::lifeline, surplus(5));
  EXPECT_FALSE(node.sent().message.has_private_work);
  EXPECT_FALSE(node.steals.wants_surplus());
}

TEST(StealProtocol, CountsWhatWasAskedAndAnswered) {
  Fixture node(options(0, 2));
  node.local(kIdle);
  node.loot(1, RequestKind::random, false);
  node.request(1, RequestKind::random, surplus(2));
  node.request(1, RequestKind::lifeline, kBusy);
  const auto& counted = node.steals.statistics();
  EXPECT_EQ(counted.sent.requests[0], 1U);
  EXPECT_EQ(counted.sent.loot[0], 1U);
  EXPECT_EQ(counted.received.requests[0], 1U);
  EXPECT_EQ(counted.received.loot[0], 1U);
  EXPECT_EQ(counted.received.private_work[1], 1U);
  EXPECT_EQ(counted.loot_received, 1U);
  EXPECT_EQ(counted.loot_sent, 1U);
}

// Forwards what it cannot serve to the next rank; asks nobody.
class Forwarding final : public Policy {
 public:
  explicit Forwarding(int next) : next_(next) {}
  std::optional<Victim> next_victim(std::int64_t /*now_ns*/) override { return std::nullopt; }
  void refused(int /*by*/) override {}
  void loot_came(int /*from*/, RequestKind /*kind*/) override {}
  void fed() override {}
  Reply without_surplus(int /*thief*/, RequestKind /*kind*/) override {
    return {Reply::What::forward, next_};
  }

 private:
  int next_;
};

TEST(StealProtocol, AForwardedRequestIsAnsweredToTheThief) {
  Fixture node(options(2, 5), std::make_unique<Forwarding>(3));
  node.request(1, RequestKind::random, kBusy);
  const Send forwarded = node.sent();
  EXPECT_EQ(forwarded.to, 3);
  EXPECT_EQ(forwarded.message.kind, MessageKind::request);
  EXPECT_EQ(forwarded.message.thief, 1);
  EXPECT_EQ(forwarded.message.hops, 1U);

  Fixture next(options(3, 5), std::make_unique<Forwarding>(4));
  next.request(forwarded.message.thief, forwarded.message.request, surplus(2),
               forwarded.message.hops);
  ASSERT_EQ(next.gives().size(), 1U);
  EXPECT_EQ(next.gives().front().to, 1);
}

TEST(StealProtocol, ARequestThatHasBeenEverywhereIsRefused) {
  Fixture node(options(2, 5), std::make_unique<Forwarding>(3));
  node.request(1, RequestKind::random, kIdle, 3);
  EXPECT_EQ(node.sent().message.kind, MessageKind::request);
  node.request(1, RequestKind::random, kIdle, 4);
  const Send refusal = node.sent();
  EXPECT_EQ(refusal.to, 1);
  EXPECT_EQ(refusal.message.kind, MessageKind::refusal);
}

TEST(StealProtocol, AfterTheDecisionNothingIsForwarded) {
  Fixture node(options(2, 5), std::make_unique<Forwarding>(3));
  node.steals.close();
  node.request(1, RequestKind::random, surplus(3));
  EXPECT_EQ(node.sent().message.kind, MessageKind::refusal);
}

TEST(StealProtocol, APrefetchIsNotForwarded) {
  Fixture node(options(2, 5), std::make_unique<Forwarding>(3));
  node.request(1, RequestKind::prefetch, kIdle);
  EXPECT_EQ(node.sent().message.kind, MessageKind::refusal);
}

TEST(StealProtocol, APolicyMayHaveNobodyToAskForAWhile) {
  auto all = options(0, 3);
  all.policy = PolicyKind::random;
  Fixture node(all);
  LocalState state = kIdle;
  node.local(state);
  node.sent();
  node.refuse(RequestKind::random);
  node.local(state);
  EXPECT_TRUE(node.actions.empty()) << "backs off";
  state.now_ns = 1'000'000;
  node.local(state);
  EXPECT_EQ(node.sent().message.kind, MessageKind::request);
}

}  // namespace
}  // namespace belay::test
