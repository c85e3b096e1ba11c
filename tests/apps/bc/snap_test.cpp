#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "tests/apps/bc/parse.hpp"

namespace apps {
namespace {

using test::parse_snap;
using test::snap_refusal;
using testing::ElementsAre;

TEST(Snap, VerticesAreTheIdsThatOccurInAscendingOrder) {
  const Graph graph = parse_snap("30 10\n30\t200\n", {.directed = true});
  ASSERT_EQ(graph.vertices(), 3U);
  EXPECT_EQ(graph.label(0), "10");
  EXPECT_EQ(graph.label(1), "30");
  EXPECT_EQ(graph.label(2), "200");
  EXPECT_THAT(graph.neighbours(1), ElementsAre(0, 2));
}

TEST(Snap, IdsMayBeAny64BitNumbers) {
  const Graph graph = parse_snap("18446744073709551615 0\n9223372036854775808 0\n");
  ASSERT_EQ(graph.vertices(), 3U);
  EXPECT_EQ(graph.label(0), "0");
  EXPECT_EQ(graph.label(1), "9223372036854775808");
  EXPECT_EQ(graph.label(2), "18446744073709551615");
  EXPECT_THAT(graph.neighbours(0), ElementsAre(1, 2));
}

// Ids near each other are numbered through a bitmap, ids far from each other by sorting.
TEST(Snap, SparseAndDenseIdsGiveTheSameGraph) {
  std::string dense;
  std::string sparse;
  std::mt19937 random(1);
  for (int i = 0; i < 5000; ++i) {
    for (const char* end : {" ", "\n"}) {
      const std::uint64_t id = 5 * (random() % 1000) + 7;
      dense += std::to_string(id) + end;
      sparse += std::to_string(id << 50U) + end;
    }
  }
  const Graph graph = parse_snap(dense);
  const Graph same = parse_snap(sparse);
  EXPECT_TRUE(std::ranges::equal(graph.offsets(), same.offsets()));
  EXPECT_TRUE(std::ranges::equal(graph.targets(), same.targets()));
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    ASSERT_EQ(std::to_string(std::stoull(graph.label(v)) << 50U), same.label(v)) << v;
  }
}

TEST(Snap, CommentsAndAThirdNumberAreSkipped) {
  EXPECT_EQ(parse_snap("# Nodes: 2\n\n 5\t6\t1.5e3 \n  # 7 8\n6 7 -1\n").edges(), 2U);
}

TEST(Snap, EdgesGivenBothWaysAreOneUnlessKeptOrDirected) {
  EXPECT_EQ(parse_snap("1 2\n2 1\n").edges(), 1U);
  EXPECT_EQ(parse_snap("1 2\n2 1\n", {.multi = true}).edges(), 2U);
  EXPECT_EQ(parse_snap("1 2\n2 1\n", {.directed = true}).edges(), 2U);
}

TEST(Snap, VertexWithALoopAloneExists) {
  const Graph graph = parse_snap("4 4\n1 2\n");
  EXPECT_EQ(graph.vertices(), 3U);
  EXPECT_EQ(graph.edges(), 1U);
}

TEST(Snap, WrongLinesAreRefused) {
  EXPECT_EQ(snap_refusal("1 2\n3\n"), "g:2: to missing, allowed: 0 to 18446744073709551615");
  EXPECT_EQ(snap_refusal("-1 2\n"), "g:1: from = -1, allowed: 0 to 18446744073709551615");
  EXPECT_EQ(snap_refusal("1 18446744073709551616\n"),
            "g:1: to = 18446744073709551616, allowed: 0 to 18446744073709551615");
  EXPECT_EQ(snap_refusal("1.0 2\n"), "g:1: from = 1.0, allowed: 0 to 18446744073709551615");
  EXPECT_EQ(snap_refusal("1 2 x\n"), "g:1: weight = x, allowed: a number or nothing");
  EXPECT_EQ(snap_refusal("1 2 3 4\n"), "g:1: rest of the line = 4, allowed: nothing");
  EXPECT_EQ(snap_refusal("1 2\r3 4\n"), "g:1: to = 2\\x0d3, allowed: 0 to 18446744073709551615");
  EXPECT_EQ(snap_refusal(std::string("1 2\n\0\n", 6)),
            "g:2: from = \\x00, allowed: 0 to 18446744073709551615");
}

TEST(Snap, NoEdgesAreRefused) {
  for (const char* text : {"", "\n\n", "# nothing\n"}) {
    EXPECT_EQ(snap_refusal(text), "g: no edges; allowed: one or more") << text;
  }
}

}  // namespace
}  // namespace apps
