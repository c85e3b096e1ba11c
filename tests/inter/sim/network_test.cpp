#include "belay/inter/sim/network.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace belay::sim {
namespace {

TEST(Network, SmallMessagesOfAPairKeepTheirOrder) {
  Costs costs;
  costs.latency_min = 1;
  costs.latency_max = 1'000'000;
  Network network(costs, 7);
  Nanoseconds last = 0;
  for (Nanoseconds now = 0; now < 1000; ++now) {
    const Nanoseconds arrival = now + network.delay(0, 1, now, 0, 0);
    EXPECT_GE(arrival, last);
    last = arrival;
  }
}

// More pairs than it has to remember at once.
TEST(Network, MessagesOfManyPairsKeepTheirOrderToo) {
  Costs costs;
  costs.latency_min = 1;
  costs.latency_max = 10'000;
  Network network(costs, 7);
  std::map<int, Nanoseconds> last;
  std::mt19937 random(1);
  for (Nanoseconds now = 0; now < 100'000; ++now) {
    const int from = static_cast<int>(random() % 5'000);
    const Nanoseconds after = random() % 100;
    const Nanoseconds arrival = now + network.delay(from, 5'000, now, after, 0);
    ASSERT_GE(arrival, now + after + costs.latency_min);
    ASSERT_GT(arrival, last[from]);
    last[from] = arrival;
  }
}

TEST(Network, ASmallMessageOvertakesLargeLootOfThePair) {
  const Costs costs;
  Network network(costs, 7);
  const Nanoseconds loot = network.delay(0, 1, 0, 0, 1'000'000);
  EXPECT_LT(1 + network.delay(0, 1, 1, 0, 0), loot);
}

TEST(Network, MessagesOfDifferentPairsOvertakeEachOther) {
  Costs costs;
  costs.latency_max = 1'000'000;
  Network network(costs, 7);
  bool overtaken = false;
  for (int i = 0; i < 100; ++i) {
    overtaken =
        overtaken || network.delay(2 * i, 1, 0, 0, 0) > 1 + network.delay(2 * i + 1, 1, 1, 0, 0);
  }
  EXPECT_TRUE(overtaken);
}

TEST(Network, WithoutAnOrderOfPairsSmallMessagesOvertakeEachOther) {
  Costs costs;
  costs.latency_max = 1'000'000;
  costs.pairs_in_order = false;
  Network network(costs, 7);
  bool overtaken = false;
  for (int i = 0; i < 100; ++i) {
    const Nanoseconds first = network.delay(0, 1, 0, 0, 0);
    overtaken = overtaken || network.delay(0, 1, 0, 0, 0) < first;
  }
  EXPECT_TRUE(overtaken);
}

TEST(Network, AStragglerIsOvertakenByManyOfOtherPairs) {
  Costs costs;
  costs.one_straggler_in = 2;
  Network network(costs, 7);
  int stragglers = 0;
  for (int i = 1; i <= 100; ++i) {
    stragglers += network.delay(0, i, 0, 0, 0) == longest_latency(costs) ? 1 : 0;
  }
  EXPECT_GT(stragglers, 30);
  EXPECT_LT(stragglers, 70);
}

TEST(Network, ArrivalsLieOnTheGridAndThoseOfAPairNotTogether) {
  Costs costs;
  costs.grid = 1000;
  Network network(costs, 7);
  Nanoseconds last = 0;
  for (int i = 0; i < 100; ++i) {
    const Nanoseconds arrival = network.delay(0, 1, 0, 0, 0);
    EXPECT_EQ(arrival % 1000, 0);
    EXPECT_GT(arrival, last);
    last = arrival;
  }
}

}  // namespace
}  // namespace belay::sim
