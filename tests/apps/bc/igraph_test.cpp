// The scores of bc beside igraph's, which counts parallel edges.
#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "apps/bc/graph.hpp"
#include "apps/bc/rmat.hpp"
#include "apps/bc/textbook_brandes.hpp"
#include "bench/bc/igraph_scores.hpp"
#include "tests/apps/bc/score.hpp"

namespace apps {
namespace {

// Of several sparse kinds, so that there are components, loops and parallel edges.
std::vector<Edge> random_edges(Vertex vertices, std::size_t count, unsigned seed) {
  std::minstd_rand random(seed);
  const auto any = [&] { return static_cast<Vertex>(random() % vertices); };
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < count; ++i) {
    const Vertex from = any();
    edges.push_back({from, random() % 4 == 0 ? (from + 1) % vertices : any()});
  }
  return edges;
}

struct Kind {
  bool directed;
  bool multi;
};

class Igraph : public testing::TestWithParam<Kind> {};

TEST_P(Igraph, HasTheSameScores) {
  const GraphOptions options{.directed = GetParam().directed, .multi = GetParam().multi};
  for (const auto& [vertices, edges] : std::vector<std::pair<Vertex, std::size_t>>{
           {1, 3}, {2, 5}, {30, 20}, {50, 49}, {64, 300}, {200, 150}, {200, 1000}, {300, 5000}}) {
    const Graph graph(vertices, {random_edges(vertices, edges, vertices)}, options);
    EXPECT_LT(largest_difference(score(graph), bench::IgraphGraph(graph).scores()), 1e-9)
        << vertices << " vertices, " << edges << " edges";
  }
  for (const std::uint64_t edge_factor : {1U, 2U, 8U}) {
    const Graph graph = make_rmat({.scale = 8, .edge_factor = edge_factor}, options);
    EXPECT_LT(largest_difference(score(graph), bench::IgraphGraph(graph).scores()), 1e-9)
        << edge_factor;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Igraph,
                         testing::Values(Kind{false, false}, Kind{false, true}, Kind{true, false},
                                         Kind{true, true}),
                         [](const auto& kind) {
                           return std::string(kind.param.directed ? "Directed" : "Undirected") +
                                  (kind.param.multi ? "WithParallelEdges" : "");
                         });

}  // namespace
}  // namespace apps
