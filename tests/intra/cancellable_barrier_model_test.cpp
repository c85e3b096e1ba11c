// The barrier and the doorbell under the model checker, with the real deque: no wake-up, no ring
// and no end is lost, and a node that looks idle is. memory_orders_model_test.cpp shows that
// each order is needed for that.
#include "tests/intra/model/barrier_scenarios.hpp"

namespace belay::model {
namespace {

TEST(CancellableBarrierModel, NoWakeUpIsLost) {
  EXPECT_TRUE(holds<PublishAndSleep<1>>(Search::all()));
  EXPECT_TRUE(holds<PublishAndSleep<2>>(Search::interrupted(2)));
  EXPECT_TRUE(holds<PublishAndSleep<2>>(Search::random(500'000)));
}

TEST(CancellableBarrierModel, EndReachesEveryWorker) {
  EXPECT_TRUE(holds<End<1>>(Search::all()));
  EXPECT_TRUE(holds<End<2>>(Search::interrupted(4)));
  EXPECT_TRUE(holds<End<3>>(Search::random(500'000)));
}

TEST(CancellableBarrierModel, IdleNodeHasNoChunk) {
  EXPECT_TRUE(holds<IdleVerdict<1>>(Search::interrupted(2)));
  EXPECT_TRUE(holds<IdleVerdict<1>>(Search::random(500'000)));
  EXPECT_TRUE(holds<IdleVerdict<2>>(Search::random(300'000)));
}

TEST(CancellableBarrierModel, CountingWaitersBeforeLookingAtTheDequeIsCaught) {
  const Search search = Search::random(100'000);
  EXPECT_TRUE((explore<IdleVerdict<1, Verdict::count_first>>(search).failed()));
}

TEST(DoorbellModel, NoRingIsLost) {
  EXPECT_TRUE(holds<Rings<1>>(Search::all()));
  EXPECT_TRUE(holds<Rings<2>>(Search::interrupted(4)));
  EXPECT_TRUE(holds<Rings<3>>(Search::random(500'000)));
}

}  // namespace
}  // namespace belay::model
