#include "apps/hybrid/hybrid.hpp"

#include <gtest/gtest.h>

#include <belay/belay.hpp>

namespace apps {
namespace {

// Whatever number of workers shares the arena with oneTBB's own threads.
TEST(Hybrid, NeverHasMoreThreadsAtWorkThanItMay) {
  belay::Session session;
  for (const int cores : {1, 2, 4}) {
    for (int workers = 1; workers <= cores; ++workers) {
      belay::Parameters parameters;
      parameters.threads = workers;
      parameters.bind = false;
      const PrimesProblem problem(workers, cores);
      const Primes primes =
          belay::run(session, problem, belay::at_root(Numbers{0, 300'000}), parameters);
      EXPECT_EQ(primes.count, 25'997U);
      EXPECT_GE(primes.threads_at_once, 1);
      EXPECT_LE(primes.threads_at_once, cores) << workers << " workers";
    }
  }
}

}  // namespace
}  // namespace apps
