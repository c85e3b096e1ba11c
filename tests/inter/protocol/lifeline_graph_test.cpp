#include "belay/inter/protocol/lifeline_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace belay {
namespace {

using Graph = std::vector<std::vector<int>>;

Graph graph_of(int size, int dimensions) {
  Graph graph;
  for (int rank = 0; rank < size; ++rank) {
    graph.push_back(lifelines_of(rank, size, dimensions));
  }
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
  std::vector<int> frontier{start};
  distance[static_cast<std::size_t>(start)] = 0;
  std::size_t seen = 1;
  int steps = 0;
  while (!frontier.empty()) {
    std::vector<int> next;
    for (int from : frontier) {
      for (int to : graph[static_cast<std::size_t>(from)]) {
        int& at = distance[static_cast<std::size_t>(to)];
        if (at >= 0) continue;
        at = distance[static_cast<std::size_t>(from)] + 1;
        steps = at;
        next.push_back(to);
        ++seen;
      }
    }
    frontier = std::move(next);
  }
  return seen == graph.size() ? steps : -1;
}

std::vector<int> sizes() {
  std::vector<int> all;
  for (int size = 2; size <= 300; ++size) all.push_back(size);
  for (int size : {343, 511, 512, 513, 625, 997, 1000, 1023, 1024, 1025, 2048, 3072, 4095, 4096}) {
    all.push_back(size);
  }
  return all;
}

TEST(LifelineGraph, EveryNodeHasOneToZDistinctLifelinesAndNeverItself) {
  for (int size : sizes()) {
    for (int dimensions = 1; dimensions <= 12; ++dimensions) {
      for (int rank = 0; rank < size; ++rank) {
        auto lifelines = lifelines_of(rank, size, dimensions);
        ASSERT_GE(lifelines.size(), 1U) << size << ' ' << dimensions << ' ' << rank;
        ASSERT_LE(lifelines.size(), static_cast<std::size_t>(dimensions));
        std::sort(lifelines.begin(), lifelines.end());
        ASSERT_EQ(std::adjacent_find(lifelines.begin(), lifelines.end()), lifelines.end());
        ASSERT_GE(lifelines.front(), 0);
        ASSERT_LT(lifelines.back(), size);
        ASSERT_EQ(std::count(lifelines.begin(), lifelines.end(), rank), 0);
      }
    }
  }
}

TEST(LifelineGraph, EveryNodeIsReachedFromEveryOther) {
  for (int size : sizes()) {
    for (int dimensions = 1; dimensions <= 12; ++dimensions) {
      const Graph graph = graph_of(size, dimensions);
      ASSERT_GE(eccentricity(graph, 0), 0) << size << ' ' << dimensions;
      ASSERT_GE(eccentricity(reversed(graph), 0), 0) << size << ' ' << dimensions;
    }
  }
}

TEST(LifelineGraph, DiameterIsAtMostThatOfTheWholeHypercube) {
  for (int size = 2; size <= 128; ++size) {
    for (int dimensions = 1; dimensions <= 6; ++dimensions) {
      int radix = 2;
      const auto nodes = [&] {
        long product = 1;
        for (int i = 0; i < dimensions; ++i) product *= radix;
        return product;
      };
      while (nodes() < size) ++radix;
      const Graph graph = graph_of(size, dimensions);
      for (int rank = 0; rank < size; ++rank) {
        ASSERT_LE(eccentricity(graph, rank), dimensions * (radix - 1)) << size << ' ' << dimensions;
      }
    }
  }
}

TEST(LifelineGraph, OneDimensionIsARing) {
  EXPECT_EQ(lifelines_of(3, 7, 1), std::vector<int>{4});
  EXPECT_EQ(lifelines_of(6, 7, 1), std::vector<int>{0});
}

TEST(LifelineGraph, ThreeDimensionsOfEightNodesAreACube) {
  EXPECT_EQ(lifelines_of(0, 8, 3), (std::vector<int>{1, 2, 4}));
  EXPECT_EQ(lifelines_of(5, 8, 3), (std::vector<int>{4, 7, 1}));
}

TEST(LifelineGraph, ANodeAloneHasNone) { EXPECT_TRUE(lifelines_of(0, 1, 3).empty()); }

}  // namespace
}  // namespace belay
