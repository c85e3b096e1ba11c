#include "apps/fib/fib.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "belay/core/problem.hpp"

namespace apps {
namespace {

static_assert(belay::TaskFunction<Fib>);

TEST(Fib, CountsAsFibonacciDid) {
  const Fib fib;
  const belay::TaskProblem<Fib> problem(fib);
  const std::atomic<bool> nobody_waits{false};
  const long expected[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55};
  for (int n = 0; n <= 10; ++n) {
    belay::TaskStack<int> bag{n};
    long result = problem.identity();
    belay::Quantum quantum(nobody_waits, 1000);
    problem.process(bag, result, quantum);
    EXPECT_TRUE(bag.empty());
    EXPECT_EQ(result, expected[n]);
  }
}

}  // namespace
}  // namespace apps
