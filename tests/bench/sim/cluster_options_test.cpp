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

TEST(ClusterOptions, AreRefusedWhereARealRunWouldBe) {
  ClusterOptions options;
  options.parameters.policy = belay::PolicyKind::random;
  options.parameters.random_steals = 0;
  EXPECT_THROW(static_cast<void>(simulation_options(options, 1)), std::invalid_argument);
}

}  // namespace
}  // namespace bench
