#include "belay/core/quantum.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace belay::test {
namespace {

TEST(Quantum, GrantsAsManyTasksAsItHas) {
  const std::atomic<bool> attention{false};
  Quantum quantum(attention, 3);
  EXPECT_TRUE(quantum.take());
  EXPECT_TRUE(quantum.take());
  EXPECT_TRUE(quantum.take());
  EXPECT_FALSE(quantum.take());
  EXPECT_FALSE(quantum.take());
}

TEST(Quantum, CountsTakesAndNotRefusals) {
  const std::atomic<bool> attention{false};
  Quantum quantum(attention, 2);
  EXPECT_EQ(quantum.taken(), 0U);
  for (int i = 0; i < 5; ++i) static_cast<void>(quantum.take());
  EXPECT_EQ(quantum.taken(), 2U);
}

TEST(Quantum, EndsAtTheNextTaskWhenSomebodyWaits) {
  std::atomic<bool> attention{false};
  Quantum quantum(attention, 1000);
  EXPECT_TRUE(quantum.take());
  EXPECT_FALSE(quantum.should_yield());
  attention = true;
  EXPECT_TRUE(quantum.should_yield());
  EXPECT_FALSE(quantum.take());
  EXPECT_EQ(quantum.taken(), 1U);
}

TEST(Quantum, GrantsManyTasksAtOnceAsFarAsItHasThem) {
  std::atomic<bool> attention{false};
  Quantum quantum(attention, 1000);
  EXPECT_EQ(quantum.take(300), 300U);
  EXPECT_TRUE(quantum.take());
  EXPECT_EQ(quantum.take(1ULL << 40U), 699U);
  EXPECT_EQ(quantum.take(1), 0U);
  EXPECT_EQ(quantum.taken(), 1000U);
}

TEST(Quantum, GrantsNoneOfManyTasksWhenSomebodyWaits) {
  const std::atomic<bool> attention{true};
  Quantum quantum(attention, 1000);
  EXPECT_EQ(quantum.take(300), 0U);
  EXPECT_EQ(quantum.taken(), 0U);
}

TEST(Quantum, NobodyWaitsWhenItsTasksAreUsedUp) {
  const std::atomic<bool> attention{false};
  Quantum quantum(attention, 1);
  EXPECT_TRUE(quantum.take());
  EXPECT_FALSE(quantum.take());
  EXPECT_FALSE(quantum.should_yield()) << "the task under way may finish";
}

TEST(Quantum, OfNoTasksGrantsNone) {
  const std::atomic<bool> attention{false};
  Quantum quantum(attention, 0);
  EXPECT_FALSE(quantum.take());
  EXPECT_EQ(quantum.taken(), 0U);
}

}  // namespace
}  // namespace belay::test
