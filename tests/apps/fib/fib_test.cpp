#include "apps/fib/fib.hpp"

#include <gtest/gtest.h>

#include "tests/apps/run_tasks.hpp"

namespace apps {
namespace {

static_assert(belay::TaskFunction<Fib>);

TEST(Fib, CountsAsFibonacciDid) {
  const long expected[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55};
  for (int n = 0; n <= 10; ++n) EXPECT_EQ(run_tasks(Fib{}, {n}).result, expected[n]);
}

}  // namespace
}  // namespace apps
