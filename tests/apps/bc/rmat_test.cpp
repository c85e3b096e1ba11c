#include "apps/bc/rmat.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace apps {
namespace {

constexpr GraphOptions kMultigraph{.directed = true, .multi = true};

std::vector<std::uint64_t> degrees_descending(const Graph& graph) {
  std::vector<std::uint64_t> degrees;
  for (Vertex v = 0; v < graph.vertices(); ++v) degrees.push_back(graph.neighbours(v).size());
  std::ranges::sort(degrees, std::greater{});
  return degrees;
}

TEST(Rmat, DoesNotDependOnTheNumberOfThreads) {
  const auto make = [](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return make_rmat({.scale = 13}, kMultigraph);
  };
  EXPECT_EQ(make(1), make(4));
}

TEST(Rmat, SeedsGiveDifferentGraphs) {
  const RmatParameters one{.scale = 6, .seed = 1};
  const RmatParameters two{.scale = 6, .seed = 2};
  EXPECT_EQ(make_rmat(one, kMultigraph), make_rmat(one, kMultigraph));
  EXPECT_NE(make_rmat(one, kMultigraph), make_rmat(two, kMultigraph));
}

TEST(Rmat, HasAsManyVerticesAndEdgesAsAskedForButLoops) {
  const Graph graph = make_rmat({.scale = 14, .edge_factor = 5}, kMultigraph);
  EXPECT_EQ(graph.vertices(), 1U << 14U);
  EXPECT_LE(graph.edges(), 5U << 14U);
  EXPECT_GE(graph.edges(), (5U << 14U) * 95 / 100);  // loops: (a + d)^14 = 4.4 %
  EXPECT_EQ(make_rmat({.scale = 0}, kMultigraph).vertices(), 1U);
  EXPECT_EQ(make_rmat({.scale = 0}, kMultigraph).edges(), 0U);
  EXPECT_EQ(make_rmat({.scale = 5, .edge_factor = 0}, kMultigraph).edges(), 0U);
}

TEST(Rmat, OptionsDecideDirectionAndMultiplicity) {
  const RmatParameters parameters{.scale = 8};
  const Graph multi = make_rmat(parameters, kMultigraph);
  const Graph undirected_multi = make_rmat(parameters, {.multi = true});
  const Graph simple = make_rmat(parameters, {});
  EXPECT_EQ(undirected_multi.edges(), multi.edges());
  EXPECT_EQ(undirected_multi.arcs(), 2 * multi.arcs());
  EXPECT_LT(simple.edges(), undirected_multi.edges());
}

// Without noise, a vertex whose number has k digits, `ones` of them ones, is the origin of an edge
// with probability (a + b)^(k - ones) (c + d)^ones, and of a loop with a^(k - ones) d^ones.
TEST(Rmat, OutDegreesFallAsTheQuartersSay) {
  constexpr std::uint64_t kScale = 12;
  constexpr std::uint64_t kFactor = 64;
  const Graph graph = make_rmat({.scale = kScale, .edge_factor = kFactor}, kMultigraph);
  const std::vector<std::uint64_t> degrees = degrees_descending(graph);
  std::vector<double> expected;
  for (std::uint64_t v = 0; v < degrees.size(); ++v) {
    const int ones = std::popcount(v);
    const int zeros = static_cast<int>(kScale) - ones;
    const double edge = std::pow(0.65, zeros) * std::pow(0.35, ones);
    const double loop = std::pow(0.55, zeros) * std::pow(0.25, ones);
    expected.push_back(static_cast<double>(kFactor << kScale) * (edge - loop));
  }
  std::ranges::sort(expected, std::greater{});
  // Sums over the first so many are steadier than degrees.
  for (const std::size_t count : {1U, 13U, 79U, 299U, 1000U, 3000U}) {
    double drawn = 0;
    double wanted = 0;
    for (std::size_t i = 0; i < count; ++i) {
      drawn += static_cast<double>(degrees[i]);
      wanted += expected[i];
    }
    EXPECT_NEAR(drawn / wanted, 1, 0.03) << count;
  }
}

TEST(Rmat, PermutationLeavesNoOrderAmongTheVertices) {
  const Graph graph = make_rmat({.scale = 12}, kMultigraph);
  std::uint64_t low_half = 0;
  for (Vertex v = 0; v < graph.vertices() / 2; ++v) low_half += graph.neighbours(v).size();
  EXPECT_NEAR(static_cast<double>(low_half) / static_cast<double>(graph.edges()), 0.5, 0.1);
}

TEST(Rmat, ParametersOutOfRangeAreRefused) {
  EXPECT_THAT([] { static_cast<void>(make_rmat({.scale = 32}, {})); },
              testing::ThrowsMessage<std::invalid_argument>("scale = 32, allowed: 0 to 31"));
  EXPECT_THAT([] { static_cast<void>(make_rmat({.edge_factor = 1U << 21U}, {})); },
              testing::ThrowsMessage<std::invalid_argument>(
                  "edge factor = 2097152, allowed: 0 to 1048576"));
}

}  // namespace
}  // namespace apps
