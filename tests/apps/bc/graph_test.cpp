#include "apps/bc/graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

namespace apps {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

constexpr GraphOptions kUndirected{};
constexpr GraphOptions kDirected{.directed = true};

EdgeList random_edges(Vertex vertices, std::size_t count, std::size_t per_piece) {
  std::mt19937 random(1);
  EdgeList edges;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % per_piece == 0) edges.emplace_back();
    edges.back().push_back(
        {static_cast<Vertex>(random() % vertices), static_cast<Vertex>(random() % vertices)});
  }
  return edges;
}

TEST(Graph, UndirectedEdgesStandInBothRowsInAscendingOrder) {
  const Graph graph(4, {{{0, 2}, {2, 1}}, {{0, 1}}}, kUndirected);
  EXPECT_EQ(graph.vertices(), 4U);
  EXPECT_EQ(graph.edges(), 3U);
  EXPECT_EQ(graph.arcs(), 6U);
  EXPECT_THAT(graph.neighbours(0), ElementsAre(1, 2));
  EXPECT_THAT(graph.neighbours(1), ElementsAre(0, 2));
  EXPECT_THAT(graph.neighbours(2), ElementsAre(0, 1));
  EXPECT_THAT(graph.neighbours(3), IsEmpty());
}

TEST(Graph, DirectedEdgesStandInTheRowTheyStartFrom) {
  const Graph graph(3, {{{0, 2}, {2, 1}, {0, 1}}}, kDirected);
  EXPECT_EQ(graph.edges(), 3U);
  EXPECT_EQ(graph.arcs(), 3U);
  EXPECT_THAT(graph.neighbours(0), ElementsAre(1, 2));
  EXPECT_THAT(graph.neighbours(1), IsEmpty());
  EXPECT_THAT(graph.neighbours(2), ElementsAre(1));
}

TEST(Graph, ParallelEdgesAreOneUnlessKept) {
  const EdgeList edges{{{0, 1}, {1, 0}, {0, 1}, {1, 2}}};
  EXPECT_THAT(Graph(3, edges, kUndirected).neighbours(1), ElementsAre(0, 2));
  EXPECT_EQ(Graph(3, edges, kUndirected).edges(), 2U);
  EXPECT_THAT(Graph(3, edges, {.multi = true}).neighbours(1), ElementsAre(0, 0, 0, 2));
  EXPECT_EQ(Graph(3, edges, {.multi = true}).edges(), 4U);
  EXPECT_EQ(Graph(3, edges, kDirected).edges(), 3U);
  EXPECT_EQ(Graph(3, edges, {.directed = true, .multi = true}).edges(), 4U);
}

TEST(Graph, SelfLoopsAreDropped) {
  const Graph graph(2, {{{0, 0}, {0, 1}, {1, 1}}}, {.multi = true});
  EXPECT_EQ(graph.edges(), 1U);
  EXPECT_THAT(graph.neighbours(0), ElementsAre(1));
}

TEST(Graph, IsWhatASequentialConstructionGives) {
  constexpr Vertex kVertices = 300;
  const EdgeList edges = random_edges(kVertices, 20'000, 64);
  for (const bool directed : {false, true}) {
    std::vector<std::vector<Vertex>> rows(kVertices);
    for (const std::vector<Edge>& piece : edges) {
      for (const Edge& edge : piece) {
        if (edge.from == edge.to) continue;
        rows[edge.from].push_back(edge.to);
        if (!directed) rows[edge.to].push_back(edge.from);
      }
    }
    const Graph multi(kVertices, edges, {.directed = directed, .multi = true});
    const Graph simple(kVertices, edges, {.directed = directed});
    for (Vertex v = 0; v < kVertices; ++v) {
      std::ranges::sort(rows[v]);
      ASSERT_TRUE(std::ranges::equal(multi.neighbours(v), rows[v])) << v;
      rows[v].erase(std::unique(rows[v].begin(), rows[v].end()), rows[v].end());
      ASSERT_TRUE(std::ranges::equal(simple.neighbours(v), rows[v])) << v;
    }
  }
}

TEST(Graph, DoesNotDependOnThreadsNorPieces) {
  const auto make = [](std::size_t threads, std::size_t per_piece) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return Graph(100, random_edges(100, 5000, per_piece), kUndirected);
  };
  const Graph graph = make(1, 5000);
  EXPECT_EQ(make(4, 10), graph);
  EXPECT_EQ(make(4, 333), graph);
}

TEST(Graph, LabelsAreNamesOrCount) {
  EXPECT_EQ(Graph(2, {}, kUndirected).label(1), "1");
  EXPECT_EQ(Graph(2, {}, kUndirected, {.first = 1}).label(1), "2");
  EXPECT_EQ(Graph(2, {}, kUndirected, {.names = {7, 18'446'744'073'709'551'615U}}).label(1),
            "18446744073709551615");
}

TEST(Graph, EdgesOutOfRangeAreRefused) {
  const auto refused = [](const EdgeList& edges) {
    EXPECT_THAT([&] { Graph(3, edges, kUndirected); },
                ThrowsMessage<std::invalid_argument>("end of an edge = 3, allowed: 0 to 2"));
  };
  refused({{{0, 3}}});
  refused({{{0, 1}}, {{3, 3}}});
}

TEST(Graph, TooManyVerticesAreRefusedBeforeMemoryIsTaken) {
  EXPECT_THAT([] { Graph(kMaxVertices + 1, {}, kUndirected); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("allowed: 0 to 4294967294")));
}

Graph unpacked(const std::vector<std::byte>& bytes) {
  belay::Unpacker unpacker(bytes);
  return Graph::unpack(unpacker);
}

TEST(Graph, ComesBackFromItsBytes) {
  for (const Graph& graph : {Graph(1000, random_edges(1000, 5000, 100), kDirected),
                             Graph(2, {{{0, 1}}}, kUndirected, {.names = {5, 900}}),
                             Graph(2, {}, kUndirected, {.first = 1})}) {
    belay::Packer packer;
    graph.pack(packer);
    EXPECT_EQ(unpacked(packer.take()), graph);
  }
}

TEST(Graph, BytesThatAreNoGraphAreRefused) {
  const auto packed = [](std::vector<std::uint64_t> offsets, std::vector<Vertex> targets,
                         std::vector<std::uint64_t> names = {}) {
    belay::Packer packer;
    packer.put(true);
    packer.put_all(std::span<const std::uint64_t>(offsets));
    packer.put_all(std::span<const Vertex>(targets));
    packer.put(std::uint64_t{0});
    packer.put_all(std::span<const std::uint64_t>(names));
    return packer.take();
  };
  EXPECT_EQ(unpacked(packed({0, 1, 2}, {1, 0})).arcs(), 2U);
  EXPECT_THROW(unpacked(packed({}, {})), std::logic_error);
  EXPECT_THROW(unpacked(packed({0, 1, 3}, {1, 0})), std::logic_error);
  EXPECT_THROW(unpacked(packed({1, 1, 2}, {1, 0})), std::logic_error);
  EXPECT_THROW(unpacked(packed({0, 9, 2}, {1, 0})), std::logic_error);
  EXPECT_THROW(unpacked(packed({0, 1, 2}, {1, 2})), std::logic_error);
  EXPECT_THROW(unpacked(packed({0, 1, 2}, {1, 0}, {7})), std::logic_error);
}

}  // namespace
}  // namespace apps
