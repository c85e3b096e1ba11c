#include "belay/inter/protocol/policies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace belay {
namespace {

using testing::ElementsAre;

PolicyOptions options(PolicyKind kind, int rank, int size) {
  PolicyOptions all;
  all.kind = kind;
  all.rank = rank;
  all.size = size;
  return all;
}

// The ranks asked at this instant, each of which refuses, until there is nobody to ask.
std::vector<int> asked_at(Policy& policy, std::int64_t now_ns) {
  std::vector<int> ranks;
  while (const auto victim = policy.next_victim(now_ns)) {
    ranks.push_back(victim->rank);
    policy.refused(victim->rank);
    if (ranks.size() > 1000) break;
  }
  return ranks;
}

class PolicyTest : public testing::TestWithParam<PolicyKind> {};

TEST_P(PolicyTest, NeverAsksTheOwnRankOrOneThatDoesNotExist) {
  for (int size = 2; size <= 9; ++size) {
    for (int rank = 0; rank < size; ++rank) {
      const auto policy = make_policy(options(GetParam(), rank, size));
      for (std::int64_t now = 0; now < 100'000'000; now += 1'000'000) {
        for (const int victim : asked_at(*policy, now)) {
          ASSERT_NE(victim, rank);
          ASSERT_GE(victim, 0);
          ASSERT_LT(victim, size);
        }
      }
    }
  }
}

TEST_P(PolicyTest, AsksBoundedlyOftenAtOneInstant) {
  const auto policy = make_policy(options(GetParam(), 3, 8));
  EXPECT_LE(asked_at(*policy, 0).size(), 8U);
}

TEST_P(PolicyTest, RemembersLifelineRequestsAlone) {
  const auto policy = make_policy(options(GetParam(), 3, 8));
  EXPECT_EQ(policy->without_surplus(1, RequestKind::random).what, Reply::What::refuse);
  if (GetParam() == PolicyKind::lifeline) {
    EXPECT_EQ(policy->without_surplus(1, RequestKind::lifeline).what, Reply::What::remember);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, PolicyTest,
                         testing::Values(PolicyKind::lifeline, PolicyKind::random,
                                         PolicyKind::ring));

// A policy without lifelines keeps asking, and less and less often, but no more rarely than each
// five milliseconds.
class RetryingPolicyTest : public testing::TestWithParam<PolicyKind> {};

TEST_P(RetryingPolicyTest, BacksOffToABound) {
  const auto policy = make_policy(options(GetParam(), 0, 2));
  std::vector<std::int64_t> times;
  for (std::int64_t now = 0; now < 1'000'000'000; now += 10'000) {
    if (!asked_at(*policy, now).empty()) times.push_back(now);
  }
  ASSERT_GT(times.size(), 100U);
  std::int64_t longest = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const std::int64_t pause = times[i] - times[i - 1];
    EXPECT_GE(pause, longest) << "never shorter again";
    longest = pause;
  }
  EXPECT_EQ(longest, BackOff::kLongestNs);
  EXPECT_LE(times[1] - times[0], 2 * BackOff::kFirstNs);
}

TEST_P(RetryingPolicyTest, StartsAnewWhenItWasFed) {
  const auto policy = make_policy(options(GetParam(), 0, 2));
  for (std::int64_t now = 0; now < 1'000'000'000; now += 10'000) asked_at(*policy, now);
  policy->fed();
  EXPECT_FALSE(asked_at(*policy, 1'000'000'000).empty());
  EXPECT_FALSE(asked_at(*policy, 1'000'000'000 + BackOff::kFirstNs).empty());
}

INSTANTIATE_TEST_SUITE_P(Kinds, RetryingPolicyTest,
                         testing::Values(PolicyKind::random, PolicyKind::ring));

TEST(RandomPolicy, AsksWBeforeItBacksOff) {
  auto all = options(PolicyKind::random, 2, 7);
  all.random_steals = 3;
  RandomPolicy policy(all);
  EXPECT_EQ(asked_at(policy, 0).size(), 3U);
}

TEST(RandomPolicy, VictimsAreAllTheOthers) {
  auto all = options(PolicyKind::random, 2, 7);
  all.random_steals = 500;
  RandomPolicy policy(all);
  const auto victims = asked_at(policy, 0);
  EXPECT_THAT(std::set<int>(victims.begin(), victims.end()), ElementsAre(0, 1, 3, 4, 5, 6));
}

TEST(RingPolicy, MakesATourFromTheNextRankOn) {
  RingPolicy policy(options(PolicyKind::ring, 2, 5));
  EXPECT_THAT(asked_at(policy, 0), ElementsAre(3, 4, 0, 1));
  EXPECT_THAT(asked_at(policy, 1'000'000), ElementsAre(3, 4, 0, 1));
}

TEST(RingPolicy, StartsWhereTheLastStealSucceeded) {
  RingPolicy policy(options(PolicyKind::ring, 2, 5));
  EXPECT_EQ(policy.next_victim(0), (Victim{3, RequestKind::random}));
  policy.refused(3);
  EXPECT_EQ(policy.next_victim(0), (Victim{4, RequestKind::random}));
  policy.loot_came(4, RequestKind::random);
  policy.fed();
  EXPECT_THAT(asked_at(policy, 0), ElementsAre(4, 0, 1, 3));
}

TEST(RingPolicy, PrefetchedLootDoesNotTurnIt) {
  RingPolicy policy(options(PolicyKind::ring, 2, 5));
  static_cast<void>(policy.next_victim(0));
  policy.loot_came(0, RequestKind::random);
  policy.loot_came(3, RequestKind::prefetch);
  EXPECT_THAT(asked_at(policy, 0), ElementsAre(0, 1, 3, 4));
}

}  // namespace
}  // namespace belay
