#include "apps/dcpar/dcpar.hpp"

#include <gtest/gtest.h>

#include "tests/apps/run_tasks.hpp"

namespace apps {
namespace {

static_assert(belay::TaskFunction<DcPar>);

DcParResult run(const DcPar& tree, std::uint32_t t) { return run_tasks(tree, {t}).result; }

TEST(DcPar, HasAsManyTasksAsCountedByHand) {
  // n = 6, k = 3: 2 of 6 are nested-parallel.
  const DcPar tree{.n = 6, .k = 3};
  EXPECT_EQ(run(tree, 0), (DcParResult{1, 1}));
  EXPECT_EQ(run(tree, 1), (DcParResult{7, 6}));
  EXPECT_EQ(run(tree, 2), (DcParResult{19, 16}));
  EXPECT_EQ(run(tree, 3), (DcParResult{43, 36}));
}

TEST(DcPar, ClosedFormIsWhatRuns) {
  for (std::uint32_t n = 1; n <= 6; ++n) {
    for (std::uint32_t k = 1; k <= n + 1; ++k) {
      for (std::uint32_t t = 0; t <= 5; ++t) {
        const DcPar tree{.n = n, .k = k};
        EXPECT_EQ(run(tree, t), tree.expected(t)) << n << ' ' << k << ' ' << t;
      }
    }
  }
}

TEST(DcPar, EveryKthSubtaskIsNested) {
  const DcPar tree{.n = 7, .k = 3};
  belay::TaskStack<DcPar::Task> bag;
  belay::Spawn<DcPar::Task> spawn(bag);
  DcParResult result;
  tree(4, spawn, result);
  EXPECT_EQ(bag, (belay::TaskStack<DcPar::Task>{0, 0, 3, 0, 0, 3, 0}));
}

TEST(DcPar, TreesBeyondReachAreRefused) {
  EXPECT_THROW(static_cast<void>(DcPar{.n = 1000, .k = 1}.expected(6)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(DcPar{.n = 1'000'000, .k = 1}.expected(1'000'000)),
               std::invalid_argument);
  EXPECT_EQ((DcPar{.n = 1000, .k = 1}.expected(4).tasks), 1'001'001'001'001U);
}

}  // namespace
}  // namespace apps
