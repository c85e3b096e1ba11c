#include "apps/bc/bc.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "apps/bc/rmat.hpp"
#include "apps/bc/textbook_brandes.hpp"
#include "tests/apps/bc/score.hpp"

namespace apps {
namespace {

using belay::Packer;
using belay::Quantum;
using belay::Share;
using belay::Unpacker;
using testing::DoubleNear;
using testing::ElementsAre;

Graph graph_of(std::uint64_t vertices, std::vector<Edge> edges, GraphOptions options = {}) {
  return {vertices, EdgeList{std::move(edges)}, options};
}

// Any number below `end`.
Vertex below(std::minstd_rand& random, std::size_t end) {
  return static_cast<Vertex>(random() % end);
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
    if (!local.under_way()) local.begin(bag.first());  // process() would not, while somebody waits
    Quantum quantum(somebody_waits, 1);
    problem.process(bag, local, result, quantum);
  }
  problem.finish(result);
  EXPECT_LT(largest_difference(result.scores, textbook_betweenness(graph)), 1e-12);
  EXPECT_GT(calls, 20 * 64) << "it comes back often";
}

// What is half done must stay.
TEST(Bc, ASplitNeverGivesTheFirstVertexAway) {
  std::minstd_rand random(1);
  for (int i = 0; i < 1000; ++i) {
    SourceBag bag(10, 11 + below(random, 20));
    SourceBag more(100, 100 + below(random, 20));
    const Graph graph = graph_of(0, {});
    const BcProblem problem(graph);
    problem.merge(bag, std::move(more));
    const std::size_t before = bag.size();
    const Vertex first = bag.first();
    const SourceBag part = problem.split(bag, Share::tasks(below(random, 25)));
    ASSERT_EQ(part.size() + bag.size(), before);
    ASSERT_EQ(bag.first(), first);
    ASSERT_EQ(part.size() > 0, before > 1);
  }
}

std::multiset<Vertex> vertices_of(SourceBag bag) {
  std::multiset<Vertex> vertices;
  for (; bag.size() > 0; bag.drop_first()) vertices.insert(bag.first());
  return vertices;
}

TEST(Bc, BagsKeepEachVertexOnceWhateverIsDoneToThem) {
  std::minstd_rand random(2);
  const Graph graph = graph_of(0, {});
  const BcProblem problem(graph);
  for (int round = 0; round < 200; ++round) {
    std::vector<SourceBag> bags{SourceBag(0, 500)};
    for (int i = 0; i < 50; ++i) {
      auto& from = bags[below(random, bags.size())];
      if (below(random, 3) > 0) {
        auto part = problem.split(from, below(random, 2) == 0 ? Share::half() : Share::tasks(7));
        Packer packer;
        problem.pack(part, packer);
        const auto bytes = packer.take();
        Unpacker unpacker(bytes);
        bags.push_back(problem.unpack(unpacker));
      } else {
        auto last = std::move(bags.back());
        bags.pop_back();
        if (bags.empty()) bags.emplace_back();
        problem.merge(bags[below(random, bags.size())], std::move(last));
      }
    }
    SourceBag all;
    std::size_t size = 0;
    for (auto& bag : bags) {
      size += bag.size();
      problem.merge(all, std::move(bag));
    }
    ASSERT_EQ(size, 500U);
    const auto vertices = vertices_of(all);
    ASSERT_EQ(std::set<Vertex>(vertices.begin(), vertices.end()).size(), 500U);
  }
}

TEST(Bc, RanksShareTheVertices) {
  const Graph graph = graph_of(10, {});
  const BcProblem problem(graph);
  SourceBag all;
  for (int rank = 0; rank < 4; ++rank) problem.merge(all, problem.part(rank, 4));
  EXPECT_EQ(vertices_of(all).size(), 10U);
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
