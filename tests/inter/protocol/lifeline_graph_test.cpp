#include "belay/inter/protocol/lifeline_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace belay {
namespace {

using Graph = std::vector<std::vector<int>>;

Graph graph_of(int size, int dimensions) {
  const LifelineGraph lifelines(size, dimensions);
  Graph graph;
  for (int rank = 0; rank < size; ++rank) graph.push_back(lifelines.lifelines_of(rank));
  return graph;
}

Graph reversed(const Graph& graph) {
  Graph reverse(graph.size());
  for (std::size_t from = 0; from < graph.size(); ++from) {
    for (int to : graph[from]) {
      reverse[static_cast<std::size_t>(to)].push_back(static_cast<int>(from));
    }
  }
  return reverse;
}

// Steps from `start` to the farthest node, or -1 if some node is out of reach.
int eccentricity(const Graph& graph, int start) {
  std::vector<int> distance(graph.size(), -1);
  std::vector<int> queue{start};
  distance[static_cast<std::size_t>(start)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto from = static_cast<std::size_t>(queue[i]);
    for (int to : graph[from]) {
      int& at = distance[static_cast<std::size_t>(to)];
      if (at >= 0) continue;
      at = distance[from] + 1;
      queue.push_back(to);
    }
  }
  return queue.size() == graph.size() ? distance[static_cast<std::size_t>(queue.back())] : -1;
}

// Each node has one to z lifelines, all different, none of them itself.
bool lifelines_are_right(const Graph& graph, int dimensions) {
  for (std::size_t rank = 0; rank < graph.size(); ++rank) {
    auto lifelines = graph[rank];
    std::sort(lifelines.begin(), lifelines.end());
    if (lifelines.empty() || lifelines.size() > static_cast<std::size_t>(dimensions) ||
        std::adjacent_find(lifelines.begin(), lifelines.end()) != lifelines.end() ||
        lifelines.front() < 0 || lifelines.back() >= static_cast<int>(graph.size()) ||
        std::binary_search(lifelines.begin(), lifelines.end(), static_cast<int>(rank))) {
      return false;
    }
  }
  return true;
}

// Sanitizers make each step ten times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kStride = 61;
#else
constexpr int kStride = 1;
#endif

class LifelineGraphTest : public testing::TestWithParam<int> {};  // z

// One search forward from a node that reaches all, and one backward: so each reaches each.
TEST_P(LifelineGraphTest, HoldsForEverySizeUpTo4096) {
  const int dimensions = GetParam();
  for (int size = 2; size <= 4096; size += size < 130 ? 1 : kStride) {
    const Graph graph = graph_of(size, dimensions);
    ASSERT_TRUE(lifelines_are_right(graph, dimensions)) << size;
    ASSERT_GE(eccentricity(graph, 0), 0) << size;
    ASSERT_GE(eccentricity(reversed(graph), 0), 0) << size;
  }
}

TEST_P(LifelineGraphTest, DiameterIsAtMostThatOfTheWholeHypercube) {
  const int dimensions = GetParam();
  std::vector<int> sizes{343, 512, 625, 997, 1000, 1025};
  for (int size = 2; size <= 256; size += size < 65 ? 1 : kStride) sizes.push_back(size);
  for (const int size : sizes) {
    const Graph graph = graph_of(size, dimensions);
    const int most = dimensions * (LifelineGraph(size, dimensions).radix() - 1);
    for (int rank = 0; rank<size; rank += size> 256 ? 97 : 1) {
      ASSERT_LE(eccentricity(graph, rank), most) << size << ' ' << rank;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, LifelineGraphTest, testing::Range(1, 13));

TEST(LifelineGraph, RadixIsTheSmallestThatHoldsAllNodes) {
  EXPECT_EQ(LifelineGraph(1, 3).radix(), 2);
  EXPECT_EQ(LifelineGraph(8, 3).radix(), 2);
  EXPECT_EQ(LifelineGraph(9, 3).radix(), 3);
  EXPECT_EQ(LifelineGraph(64, 2).radix(), 8);
  EXPECT_EQ(LifelineGraph(65, 2).radix(), 9);
  EXPECT_EQ(LifelineGraph(4096, 1).radix(), 4096);
}

TEST(LifelineGraph, OneDimensionIsARing) {
  EXPECT_EQ(LifelineGraph(7, 1).lifelines_of(3), std::vector<int>{4});
  EXPECT_EQ(LifelineGraph(7, 1).lifelines_of(6), std::vector<int>{0});
}

TEST(LifelineGraph, ThreeDimensionsOfEightNodesAreACube) {
  EXPECT_EQ(LifelineGraph(8, 3).lifelines_of(0), (std::vector<int>{1, 2, 4}));
  EXPECT_EQ(LifelineGraph(8, 3).lifelines_of(5), (std::vector<int>{4, 7, 1}));
}

TEST(LifelineGraph, ANodeAloneHasNone) { EXPECT_TRUE(LifelineGraph(1, 3).lifelines_of(0).empty()); }

}  // namespace
}  // namespace belay
