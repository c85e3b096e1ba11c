// The deque under the model checker: every item goes to exactly one taker, who sees its content,
// and none is lost. memory_orders_model_test.cpp shows that each order is needed for that.
#include "tests/intra/model/deque_scenarios.hpp"

namespace belay::model {
namespace {

TEST(ChaseLevDequeModel, LastItemGoesToExactlyOneTaker) {
  EXPECT_TRUE(holds<DequeScenario<LastItem<1>>>(Search::all()));
  EXPECT_TRUE(holds<DequeScenario<LastItem<2>>>(Search::interrupted(3)));
  EXPECT_TRUE(holds<DequeScenario<LastItem<3>>>(Search::random(300'000)));
}

TEST(ChaseLevDequeModel, NewerOfTwoItemsGoesToExactlyOneTaker) {
  EXPECT_TRUE(holds<DequeScenario<NewerOfTwo>>(Search::all()));
}

TEST(ChaseLevDequeModel, NothingIsLostWhileSlotsAreUsedAgain) {
  EXPECT_TRUE(holds<DequeScenario<Reuse>>(Search::interrupted(2)));
  EXPECT_TRUE(holds<DequeScenario<Reuse>>(Search::random(500'000)));
}

TEST(ChaseLevDequeModel, NothingIsLostWhileTheRingGrows) {
  EXPECT_TRUE(holds<DequeScenario<Growth<1>>>(Search::interrupted(2)));
  EXPECT_TRUE(holds<DequeScenario<Growth<2>>>(Search::random(1'000'000)));
  EXPECT_TRUE(holds<DequeScenario<Growth<3>>>(Search::random(500'000)));
}

}  // namespace
}  // namespace belay::model
