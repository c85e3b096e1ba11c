// Trees that are drawn, on simulated clusters as belay-sim describes them: the protocol keeps its
// promises where workers are advanced far in one step, and it does not matter how far.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "apps/uts/sampled_binomial.hpp"
#include "apps/uts/sampled_geometric.hpp"
#include "belay/inter/sim/checks/all_checks.hpp"
#include "belay/inter/sim/simulation.hpp"
#include "bench/sim/cluster_options.hpp"

namespace bench {
namespace {

constexpr double kNodeNs = 23;

belay::sim::SimulationOptions cluster(int nodes, int workers, std::uint64_t seed, double task_ns) {
  ClusterOptions options;
  options.nodes = nodes;
  options.workers = workers;
  options.parameters.seed = seed;
  return simulation_options(options, task_ns);
}

template <belay::Problem P>
belay::sim::SimulationCounts run(const P& problem, const belay::sim::SimulationOptions& options) {
  return belay::sim::Simulation(problem, options).run(problem.root_bag());
}

template <belay::Problem P>
belay::sim::SimulationCounts run_checked(const P& problem, belay::sim::SimulationOptions options) {
  belay::sim::AllChecks checks(options);
  checks.attach_to(options);
  return run(problem, options);
}

apps::SampledBinomial binomial(std::uint64_t inner, std::uint64_t seed) {
  const apps::TreeParameters tree{.type = apps::TreeType::binomial, .b0 = 2000, .m = 2};
  return {tree, 1 + 2000 + 2 * inner, seed};
}

apps::SampledGeometric geometric(int depth, std::uint64_t seed) {
  return {{.type = apps::TreeType::geometric, .b0 = 4, .shape = apps::Shape::fixed, .depth = depth},
          seed};
}

TEST(DrawnTrees, BinomialOnesKeepAllPromises) {
  constexpr std::uint64_t kInner = 300'000;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto counts = run_checked(binomial(kInner, seed), cluster(20, 3, seed, 2 * kNodeNs));
    EXPECT_EQ(counts.tasks, 1 + kInner);
    EXPECT_EQ(counts.tasks_left, 0);
  }
}

TEST(DrawnTrees, GeometricOnesKeepAllPromises) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto counts = run_checked(geometric(9, seed), cluster(20, 3, seed, 5 * kNodeNs));
    EXPECT_GT(counts.tasks, 1'000);
    EXPECT_EQ(counts.tasks_left, 0);
  }
}

// Mean time over seeds, with workers that are advanced by a second at most, and by a few tasks.
template <class Draw>
std::pair<double, double> times(Draw draw, belay::sim::SimulationOptions options) {
  constexpr std::uint64_t kSeeds = 10;
  std::pair<double, double> sums{0, 0};
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    options.seed = seed;
    options.most_ahead = 1'000'000'000;
    sums.first += static_cast<double>(run(draw(seed), options).time);
    options.most_ahead = 10 * options.costs.task;
    sums.second += static_cast<double>(run(draw(seed), options).time);
  }
  return sums;
}

TEST(DrawnTrees, TakeAsLongHoweverFarWorkersAreAdvanced) {
  const auto [far, near] = times([](std::uint64_t seed) { return binomial(1'000'000, seed); },
                                 cluster(8, 4, 1, 2 * kNodeNs));
  EXPECT_NEAR(far / near, 1, 0.02);
  const auto [wide, narrow] =
      times([](std::uint64_t seed) { return geometric(11, seed); }, cluster(8, 4, 1, 5 * kNodeNs));
  EXPECT_NEAR(wide / narrow, 1, 0.02);
}

}  // namespace
}  // namespace bench
