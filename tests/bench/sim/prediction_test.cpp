#include "bench/sim/prediction.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>

#include "apps/fib/fib.hpp"
#include "apps/uts/sampled_binomial.hpp"
#include "belay/core/task_problem.hpp"
#include "bench/sim/cluster_options.hpp"

namespace bench {
namespace {

nlohmann::ordered_json predict_fib(int n, const belay::sim::SimulationOptions& options) {
  const apps::Fib fib;
  const belay::TaskProblem problem(fib);
  return predict(problem, {{n}}, options);
}

// A small run on 3 nodes of 4 workers.
nlohmann::ordered_json run(const belay::sim::Costs& costs) {
  belay::sim::SimulationOptions options;
  options.nodes = 3;
  options.workers = 4;
  options.costs = costs;
  options.protocol = belay::protocol_options({}, 0, options.nodes, options.workers);
  return predict_fib(24, options);
}

// Seconds of workers in this state.
double seconds(const nlohmann::ordered_json& story, const char* state) {
  double workers = 0;
  for (const auto& bin : story[state]) workers += bin.get<double>();
  return workers * story["width_seconds"].get<double>();
}

TEST(Prediction, HasTheEfficiencyOfAllTasksInItsTime) {
  const auto result = run({.task = 1000});
  constexpr std::uint64_t kCalls = 150'049;  // 2 F(25) - 1
  EXPECT_EQ(result["tasks"], kCalls);
  EXPECT_NEAR(result["efficiency"].get<double>() * 12 * result["seconds"].get<double>(),
              kCalls * 1e-6, 1e-9);
}

TEST(Prediction, LosesWhatItsLifeStoryHasOfWorkersThatDoNotCompute) {
  const auto result = run({.task = 1000});
  double idle = 0;
  for (const char* loss : {"start", "middle", "tail"}) {
    EXPECT_GT(result["loss"][loss].get<double>(), 0) << loss;
    idle += result["loss"][loss].get<double>();
  }
  EXPECT_GT(result["loss"]["other"].get<double>(), 0);
  const auto& story = result["life_story"];
  EXPECT_NEAR(idle * 12 * result["seconds"].get<double>(),
              seconds(story, "stealing") + seconds(story, "idle"), 1e-9);
}

// A network that loses votes, which nobody sends again.
struct LosesVotes final : belay::sim::Interference {
  int carry(belay::sim::Envelope& envelope) override {
    return envelope.message.kind == belay::MessageKind::vote ? 0 : 1;
  }
};

TEST(Prediction, IsNoneOfARunThatDoesNotEnd) {
  for (const auto policy : {belay::PolicyKind::lifeline, belay::PolicyKind::random}) {
    ClusterOptions cluster;
    cluster.nodes = 3;
    cluster.parameters.policy = policy;
    auto options = simulation_options(cluster, 1000);
    LosesVotes loses_votes;
    options.interference = &loses_votes;
    EXPECT_THROW(static_cast<void>(predict_fib(20, options)), std::runtime_error);
  }
}

TEST(Prediction, IsNoneOfARunThatFails) {
  ClusterOptions cluster;
  cluster.nodes = 3;
  auto options = simulation_options(cluster, 1000);
  options.mishaps = {{.time = 50'000, .node = 1}};
  EXPECT_THROW(static_cast<void>(predict_fib(20, options)), std::logic_error);
}

TEST(Prediction, TellsWhatATaskTook) {
  ClusterOptions cluster;
  cluster.nodes = 2;
  EXPECT_EQ(predict_fib(10, simulation_options(cluster, 114.7))["task_ns"], 115);
}

TEST(Prediction, LosesNothingElseWherePublishingAndStealingAtHomeAreFree) {
  const auto result = run({.task = 1000, .publish = 0, .local_steal = 0});
  EXPECT_NEAR(result["loss"]["other"].get<double>(), 0, 1e-12);
  EXPECT_LT(result["efficiency"].get<double>(), 1);
}

// Near criticality many tasks of a bag are foreseen before it runs dry, and communication threads
// look at it meanwhile.
TEST(Prediction, HasAllTasksOfDrawnTrees) {
  constexpr std::uint64_t kInner = 3'000'000;
  const apps::TreeParameters tree{.type = apps::TreeType::binomial, .b0 = 2000, .m = 2};
  ClusterOptions cluster;
  cluster.nodes = 128;
  cluster.workers = 2;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const apps::SampledBinomial problem(tree, 1 + 2000 + 2 * kInner, seed);
    auto options = simulation_options(cluster, 23);
    options.seed = seed;
    const auto prediction = predict(problem, {problem.root_bag()}, options);
    EXPECT_EQ(prediction["tasks"], 1 + kInner) << seed;
  }
}

}  // namespace
}  // namespace bench
