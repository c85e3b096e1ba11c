#include "bench/sim/cluster_options.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace bench {
namespace {

TEST(ClusterOptions, AStealIsHalfOrAChunkOfSoManyTasks) {
  ClusterOptions options;
  const auto half = simulation_options(options, 1);
  EXPECT_TRUE(half.share.is_half());
  EXPECT_TRUE(half.protocol.steal_half);
  options.parameters.steal = 20;
  const auto chunk = simulation_options(options, 1);
  EXPECT_EQ(chunk.share.of(100), 20U);
  EXPECT_FALSE(chunk.protocol.steal_half);
}

TEST(ClusterOptions, HaveTasksOfWholeNanoseconds) {
  const ClusterOptions options;
  EXPECT_EQ(simulation_options(options, 0.5).costs.task, 1);
  EXPECT_EQ(simulation_options(options, 114.7).costs.task, 115);
  EXPECT_EQ(simulation_options(options, 1e12).costs.task, 1'000'000'000'000);
  for (const double task_ns : {0.0, 0.49, 1.1e12, 1e20}) {
    EXPECT_THROW(static_cast<void>(simulation_options(options, task_ns)), std::invalid_argument)
        << task_ns;
  }
}

TEST(ClusterOptions, AreRefusedWhereARealRunWouldBe) {
  ClusterOptions options;
  options.parameters.policy = belay::PolicyKind::random;
  options.parameters.random_steals = 0;
  EXPECT_THROW(static_cast<void>(simulation_options(options, 1)), std::invalid_argument);
}

}  // namespace
}  // namespace bench
