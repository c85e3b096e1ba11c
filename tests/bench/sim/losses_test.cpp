#include "bench/sim/losses.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace bench {
namespace {

using belay::ThreadState;
using belay::sim::WorkerState;

// Ten workers.
class LossesOfTen : public testing::Test {
 protected:
  void change(belay::sim::Nanoseconds now, int workers, WorkerState from, WorkerState to) {
    for (int i = 0; i < workers; ++i) losses_.handle_state(now, 0, from, to);
  }
  void stop(belay::sim::Nanoseconds now, int workers) {
    change(now, workers, WorkerState::computing, WorkerState::stealing);
  }
  void go_on(belay::sim::Nanoseconds now, int workers) {
    change(now, workers, WorkerState::stealing, WorkerState::computing);
  }
  void expect(double start, double middle, double tail) const {
    EXPECT_EQ(losses_.start(), start);
    EXPECT_EQ(losses_.middle(), middle);
    EXPECT_EQ(losses_.tail(), tail);
  }

  Losses losses_{10};
};

TEST_F(LossesOfTen, AreNoneWhereAllCompute) {
  losses_.end(1000);
  expect(0, 0, 0);
}

TEST_F(LossesOfTen, AreDividedByTheFirstAndTheLastTimeAtWhichNineCompute) {
  stop(0, 9);     // until 100 one computes,
  go_on(100, 7);  // until 150 eight,
  go_on(150, 1);  // until 300 nine,
  stop(300, 4);   // until 400 five,
  go_on(400, 5);  // until 500 ten,
  stop(500, 2);   // until 600 eight,
  stop(600, 8);   // until 650 none
  losses_.end(650);
  expect(9 * 100 + 2 * 50, 1 * 150 + 5 * 100, 2 * 100 + 10 * 50);
}

TEST_F(LossesOfTen, AreTheTailsWhereAllBeginWithWork) {
  stop(100, 5);
  losses_.end(200);
  expect(0, 0, 500);
}

TEST_F(LossesOfTen, AreTheMiddlesBetweenTwoTimesOfWorkFromTheFirstMomentOn) {
  stop(100, 5);
  go_on(200, 5);
  losses_.end(300);
  expect(0, 500, 0);
}

TEST_F(LossesOfTen, AreTheStartsWhereNineNeverCompute) {
  stop(0, 9);
  go_on(50, 7);
  stop(70, 3);
  losses_.end(100);
  expect(9 * 50 + 2 * 20 + 5 * 30, 0, 0);
}

TEST_F(LossesOfTen, AreNotBegunByWorkThatTakesNoTime) {
  stop(0, 9);
  go_on(50, 9);
  stop(50, 9);
  losses_.end(100);
  expect(900, 0, 0);
}

TEST_F(LossesOfTen, TellHowManyDidWhat) {
  stop(0, 3);
  change(100, 2, WorkerState::stealing, WorkerState::waiting);
  losses_.end(300);
  double computing = 0;
  double stealing = 0;
  double idle = 0;
  const belay::LifeStory& story = losses_.story();
  for (std::size_t bin = 0; bin < story.bins(); ++bin) {
    computing += story.threads(bin, ThreadState::computing) * story.width() * 1e9;
    stealing += story.threads(bin, ThreadState::stealing) * story.width() * 1e9;
    idle += story.threads(bin, ThreadState::idle) * story.width() * 1e9;
  }
  EXPECT_NEAR(computing, 7 * 300, 1e-3);
  EXPECT_NEAR(stealing, 3 * 100 + 1 * 200, 1e-3);
  EXPECT_NEAR(idle, 2 * 200, 1e-3);
}

}  // namespace
}  // namespace bench
