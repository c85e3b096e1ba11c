// A whole node under the model checker: communication side, workers, deques, barrier and doorbell
// as they are. memory_orders_model_test.cpp shows that each order is needed.
#include "tests/intra/model/node_scenarios.hpp"

namespace belay::model {
namespace {

TEST(NodeModel, RunEndsWithEverythingDone) {
  EXPECT_TRUE(holds<WholeRun<1>>(Search::random(100'000)));
  EXPECT_TRUE(holds<WholeRun<2>>(Search::random(100'000)));
  EXPECT_TRUE(holds<WholeRun<3>>(Search::random(30'000)));
}

TEST(NodeModel, WantedSurplusWakesTheCommunicationThread) {
  EXPECT_TRUE(holds<SurplusWanted>(Search::random(100'000)));
}

TEST(NodeModel, HungerReachesABusyWorkerAtItsNextTask) {
  EXPECT_TRUE(holds<SleepBesideABusyWorker>(Search::random(100'000)));
}

TEST(NodeModel, EndReachesABusyWorkerAtItsNextTask) {
  EXPECT_TRUE(holds<EndBetweenTasks>(Search::random(300'000)));
}

}  // namespace
}  // namespace belay::model
