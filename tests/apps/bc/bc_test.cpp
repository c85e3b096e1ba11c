#include "apps/bc/bc.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <utility>
#include <vector>

#include "apps/bc/rmat.hpp"
#include "apps/bc/textbook_brandes.hpp"
#include "belay/inter/sim/simulation.hpp"
#include "tests/apps/bc/score.hpp"

namespace apps {
namespace {

using belay::Packer;
using belay::Quantum;
using belay::Unpacker;
using testing::DoubleNear;
using testing::ElementsAre;

Graph graph_of(std::uint64_t vertices, std::vector<Edge> edges, GraphOptions options = {}) {
  return {vertices, EdgeList{std::move(edges)}, options};
}

TEST(Bc, KnowsTheScoresOfSmallGraphs) {
  // A path: the middle is between both ends.
  EXPECT_THAT(score(graph_of(3, {{0, 1}, {1, 2}})), ElementsAre(0, 1, 0));
  EXPECT_THAT(score(graph_of(3, {{0, 1}, {1, 2}}, {.directed = true})), ElementsAre(0, 1, 0));
  // A star: the hub is between each of the six pairs of leaves.
  EXPECT_THAT(score(graph_of(5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}})), ElementsAre(6, 0, 0, 0, 0));
  // A diamond: each of two vertices carries half of the paths between the others.
  EXPECT_THAT(score(graph_of(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}})),
              ElementsAre(0.5, 0.5, 0.5, 0.5));
  EXPECT_THAT(score(graph_of(0, {})), ElementsAre());
  EXPECT_THAT(score(graph_of(2, {})), ElementsAre(0, 0));
}

TEST(Bc, CountsParallelEdgesAsPathsOfTheirOwnWhenTheyAreKept) {
  const std::vector<Edge> diamond{{0, 1}, {0, 1}, {0, 2}, {1, 3}, {2, 3}};
  EXPECT_THAT(score(graph_of(4, diamond)), ElementsAre(0.5, 0.5, 0.5, 0.5));
  const auto scores = score(graph_of(4, diamond, {.multi = true}));
  EXPECT_THAT(scores[1], DoubleNear(2.0 / 3, 1e-15));
  EXPECT_THAT(scores[2], DoubleNear(1.0 / 3, 1e-15));
}

TEST(Bc, AgreesWithTheTextbookOnRandomGraphs) {
  for (const bool directed : {false, true}) {
    for (const bool multi : {false, true}) {
      for (const std::uint64_t edge_factor : {1U, 4U, 16U}) {
        const Graph graph = make_rmat({.scale = 7, .edge_factor = edge_factor, .seed = 3},
                                      {.directed = directed, .multi = multi});
        EXPECT_LT(largest_difference(score(graph), textbook_betweenness(graph)), 1e-12);
      }
    }
  }
}

// Long paths: as many levels as vertices.
TEST(Bc, AgreesWithTheTextbookOnAGridAndARing) {
  std::vector<Edge> grid;
  for (Vertex row = 0; row < 9; ++row) {
    for (Vertex column = 0; column < 12; ++column) {
      const Vertex v = 12 * row + column;
      if (column + 1 < 12) grid.push_back({v, v + 1});
      if (row + 1 < 9) grid.push_back({v, v + 12});
    }
  }
  std::vector<Edge> ring;
  for (Vertex v = 0; v < 101; ++v) ring.push_back({v, (v + 1) % 101});
  for (const auto& graph : {graph_of(108, grid), graph_of(101, ring)}) {
    EXPECT_LT(largest_difference(score(graph), textbook_betweenness(graph)), 1e-12);
  }
}

// Somebody waits all the time, so that process() comes back after each vertex of each search.
TEST(Bc, ASearchThatIsLeftOffEverywhereFindsTheSame) {
  const Graph graph = make_rmat({.scale = 6, .edge_factor = 4, .seed = 5}, {});
  const BcProblem problem(graph);
  const std::atomic<bool> somebody_waits{true};
  auto bag = problem.part(0, 1);
  auto local = problem.make_local();
  auto result = problem.identity();
  int calls = 0;
  for (; bag.size() > 0; ++calls) {
    if (!local.under_way())
      local.begin(static_cast<Vertex>(bag.first()));  // process() would not, while somebody waits
    Quantum quantum(somebody_waits, 1);
    problem.process(bag, local, result, quantum);
  }
  problem.finish(result);
  EXPECT_LT(largest_difference(result.scores, textbook_betweenness(graph)), 1e-12);
  EXPECT_GT(calls, 20 * 64) << "it comes back often";
}

TEST(Bc, FindsTheSameOnASimulatedCluster) {
  const Graph graph = make_rmat({.scale = 7, .edge_factor = 8, .seed = 5}, {});
  const BcProblem problem(graph);
  belay::sim::SimulationOptions options;
  options.nodes = 5;
  options.workers = 3;
  options.quantum = 0;
  options.costs.task = 100'000;
  auto outcome = belay::sim::Simulation(problem, options).run(problem.part(0, 1));
  problem.finish(outcome.result);
  EXPECT_LT(largest_difference(outcome.result.scores, textbook_betweenness(graph)), 1e-12);
  EXPECT_GT(outcome.nodes.back().loot_received, 0) << "other nodes got work";
}

TEST(Bc, ResultsTravelAndAdd) {
  BcResult a{{1, 2}, {7}};
  BcProblem::reduce(a, {});
  Packer packer;
  packer.put(a);
  const auto bytes = packer.take();
  Unpacker unpacker(bytes);
  BcResult b;
  BcProblem::reduce(b, unpacker.get<BcResult>());
  BcProblem::reduce(b, std::move(a));
  EXPECT_THAT(b.scores, ElementsAre(2, 4));
  EXPECT_THAT(b.arcs, ElementsAre(7, 7));
}

// A chain of diamonds, each of which doubles the number of paths.
TEST(Bc, MorePathsThanADoubleCanCountAreAnError) {
  std::vector<Edge> chain;
  constexpr Vertex kDiamonds = 1100;
  for (Vertex i = 0; i < kDiamonds; ++i) {
    const Vertex v = 3 * i;
    for (const Edge& edge : {Edge{v, v + 1}, {v, v + 2}, {v + 1, v + 3}, {v + 2, v + 3}}) {
      chain.push_back(edge);
    }
  }
  EXPECT_THROW(score(graph_of(3 * kDiamonds + 1, chain)), std::overflow_error);
}

}  // namespace
}  // namespace apps
