#include "belay/inter/sim/event_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace belay::sim {
namespace {

TEST(EventQueue, GivesEventsInTheOrderOfTheirTimes) {
  EventQueue<int> queue;
  queue.schedule(30, 3);
  queue.schedule(10, 1);
  queue.schedule(20, 2);
  for (int expected = 1; expected <= 3; ++expected) {
    EXPECT_EQ(queue.next(), expected);
    EXPECT_EQ(queue.now(), 10 * expected);
  }
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.processed(), 3U);
}

TEST(EventQueue, EventsOfOneInstantKeepTheirOrder) {
  EventQueue<int> queue;
  for (int i = 0; i < 100; ++i) queue.schedule(5, i);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(queue.next(), i);
}

TEST(EventQueue, GivesWhatASortGivesWithDelaysOfAllLengths) {
  Rng rng(1);
  EventQueue<int> queue;
  std::vector<std::pair<Nanoseconds, int>> expected;
  std::vector<std::pair<Nanoseconds, int>> given;
  for (int i = 0; i < 20'000; ++i) {
    const auto delay =
        static_cast<Nanoseconds>(rng.below(2) == 0 ? 0 : rng.next() >> (2 + rng.below(62)));
    if (queue.now() + delay < Nanoseconds{1} << 62U) {
      expected.emplace_back(queue.now() + delay, i);
      queue.schedule(delay, i);
    }
    while (!queue.empty() && rng.below(3) == 0) {
      const int event = queue.next();
      given.emplace_back(queue.now(), event);
    }
  }
  while (!queue.empty()) {
    const int event = queue.next();
    given.emplace_back(queue.now(), event);
  }
  std::ranges::sort(expected);
  EXPECT_EQ(given, expected);
}

TEST(EventQueue, RefusesWhatIsLaterThanTheLatestInstant) {
  constexpr Nanoseconds kLatest = EventQueue<int>::kLatest;
  EventQueue<int> queue;
  queue.schedule(7, 1);
  queue.schedule(kLatest, 2);
  EXPECT_EQ(queue.next(), 1);
  for (const Nanoseconds delay : {kLatest - 6, std::numeric_limits<Nanoseconds>::max(),
                                  Nanoseconds{-1}, std::numeric_limits<Nanoseconds>::min()}) {
    EXPECT_THROW(queue.schedule(delay, 3), std::overflow_error) << delay;
  }
  queue.schedule(kLatest - 7, 4);
  EXPECT_EQ(queue.next(), 2);
  EXPECT_EQ(queue.next(), 4);
  EXPECT_EQ(queue.now(), kLatest);
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, EventsOfOneInstantComeInAnyOrderWhenShuffled) {
  std::set<std::vector<int>> orders;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EventQueue<int> queue{Rng(seed)};
    for (int i = 0; i < 3; ++i) queue.schedule(5, i);
    queue.schedule(4, 3);
    EXPECT_EQ(queue.next(), 3);
    orders.insert({queue.next(), queue.next(), queue.next()});
  }
  EXPECT_EQ(orders.size(), 6U);
}

}  // namespace
}  // namespace belay::sim
