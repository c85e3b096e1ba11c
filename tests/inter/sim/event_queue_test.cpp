#include "belay/inter/sim/event_queue.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
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
