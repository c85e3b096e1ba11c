#include "bench/sim/cluster_options.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace bench
