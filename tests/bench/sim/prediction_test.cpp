#include "bench/sim/prediction.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "apps/uts/sampled_binomial.hpp"
#include "bench/sim/cluster_options.hpp"

namespace bench {
namespace {

// Near criticality many tasks of a bag are foreseen before it runs dry, and communication threads
// look at it meanwhile.
TEST(Prediction, HasAllTasksOfDrawnTrees) {
  constexpr std::uint64_t kInner = 3'000'000;
  const apps::TreeParameters tree{.type = apps::TreeType::binomial, .b0 = 2000, .m = 2};
  ClusterOptions cluster;
  cluster.nodes = 128;
  cluster.workers = 2;
  cluster.costs = {"service_ns=1000", "shares_cores=1"};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const apps::SampledBinomial problem(tree, 1 + 2000 + 2 * kInner, seed);
    std::vector<apps::SampledBinomial::Bag> bags(static_cast<std::size_t>(cluster.nodes));
    bags.front() = problem.root_bag();
    auto options = simulation_options(cluster, 23);
    options.seed = seed;
    const auto prediction = predict(problem, std::move(bags), options);
    EXPECT_EQ(prediction["tasks"], 1 + kInner) << seed;
  }
}

}  // namespace
}  // namespace bench
