#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/apps/bc/parse.hpp"

namespace apps {
namespace {

using testing::ElementsAre;

Graph parse_metis(const std::string& text, GraphOptions options = {}) {
  return parse_graph(text, GraphFormat::metis, options, "g");
}

std::string metis_refusal(const std::string& text, GraphOptions options = {}) {
  return test::refusal(text, GraphFormat::metis, options);
}

TEST(Metis, LinesAreTheNeighboursOfTheirVertex) {
  const Graph graph = parse_metis("% a path\n4 3\n2\n3 1\n% in the middle\n2 4\n3\n");
  EXPECT_EQ(graph.vertices(), 4U);
  EXPECT_EQ(graph.edges(), 3U);
  EXPECT_THAT(graph.neighbours(1), ElementsAre(0, 2));
  EXPECT_EQ(graph.label(0), "1");
}

TEST(Metis, EmptyLinesAreVerticesWithoutEdges) {
  const Graph graph = parse_metis("5 1\n\n3\r\n2\r\n\r\n \n\n\n");
  EXPECT_EQ(graph.vertices(), 5U);
  EXPECT_THAT(graph.neighbours(1), ElementsAre(2));
}

TEST(Metis, LastLineNeedsNoEnd) {
  EXPECT_EQ(parse_metis("2 1\n2\n1").edges(), 1U);
  EXPECT_EQ(parse_metis("3 1\n2\n1\n").edges(), 1U);  // an empty line without its end
  EXPECT_EQ(parse_metis("1 0").vertices(), 1U);
}

TEST(Metis, SizesAndWeightsAreSkipped) {
  EXPECT_EQ(parse_metis("2 1 1\n2 7\n1 7\n").edges(), 1U);              // of edges
  EXPECT_EQ(parse_metis("2 1 10\n5 2\n5 1\n").edges(), 1U);             // of vertices
  EXPECT_EQ(parse_metis("2 1 011 2\n5 6 2 7\n5 6 1 7\n").edges(), 1U);  // of both
  EXPECT_EQ(parse_metis("2 1 111 1\n9 5 2 7\n9 5 1 7\n").edges(), 1U);  // and sizes
  EXPECT_EQ(parse_metis("2 1 000 0\n2\n1\n").edges(), 1U);
}

TEST(Metis, DirectedIsBothWays) {
  const Graph graph = parse_metis("3 2\n2\n1 3\n2\n", {.directed = true});
  EXPECT_EQ(graph.edges(), 4U);
  EXPECT_THAT(graph.neighbours(1), ElementsAre(0, 2));
}

TEST(Metis, ParallelEdgesAreKeptOnRequest) {
  EXPECT_EQ(parse_metis("2 2\n2 2\n1 1\n").edges(), 1U);
  EXPECT_EQ(parse_metis("2 2\n2 2\n1 1\n", {.multi = true}).edges(), 2U);
}

TEST(Metis, LargeGraphsAreNumberedAcrossPieces) {
  constexpr int kVertices = 5000;
  std::string text = std::to_string(kVertices) + ' ' + std::to_string(kVertices - 1) + '\n';
  std::string edges;
  for (int v = 1; v <= kVertices; ++v) {
    if (v % 7 == 0) text += "% seven\n";
    if (v > 1) text += std::to_string(v - 1) + ' ';
    if (v < kVertices) text += std::to_string(v + 1);
    text += '\n';
    if (v < kVertices) edges += std::to_string(v) + ' ' + std::to_string(v + 1) + '\n';
  }
  EXPECT_EQ(parse_metis(text), test::parse_snap(edges));
}

TEST(Metis, WrongHeadersAreRefused) {
  EXPECT_EQ(metis_refusal(""), "g:1: the text ends before the numbers of vertices and edges");
  EXPECT_EQ(metis_refusal("% only\n"),
            "g:2: the text ends before the numbers of vertices and edges");
  EXPECT_EQ(metis_refusal("0 0\n"), "g:1: vertices = 0, allowed: 1 to 4294967294");
  EXPECT_EQ(metis_refusal("2\n"), "g:1: edges missing, allowed: 0 to 9223372036854775807");
  EXPECT_EQ(metis_refusal("2 1 2\n"), "g:1: fmt = 2, allowed: up to three digits, each 0 or 1");
  EXPECT_EQ(metis_refusal("2 1 x\n"), "g:1: fmt = x, allowed: 0 to 111");
  EXPECT_EQ(metis_refusal("2 1 10 0\n"), "g:1: ncon = 0, allowed: 1 to 4294967294");
  EXPECT_EQ(metis_refusal("2 1 1 1\n"), "g:1: ncon = 1, allowed: 0");
  EXPECT_EQ(metis_refusal("2 1 10 1 1\n"), "g:1: rest of the line = 1, allowed: nothing");
}

TEST(Metis, LinesMustBeAsManyAsTheHeaderSays) {
  EXPECT_EQ(metis_refusal("4294967294 0\n\n"),
            "g:1: vertices = 4294967294, allowed: 1, as many as lines follow");
  EXPECT_EQ(metis_refusal("4 1\n2\n1"), "g:1: vertices = 4, allowed: 2, as many as lines follow");
  EXPECT_EQ(metis_refusal("2 1\n2\n1\n\n1\n"),
            "g:5: one line too many, allowed: 2, one per vertex");
}

TEST(Metis, EdgesMustBeAsManyAsTheHeaderSays) {
  EXPECT_EQ(metis_refusal("2 2\n2\n1\n"),
            "g:1: edges = 2, allowed: half of the 2 entries that follow");
  EXPECT_EQ(metis_refusal("2 0\n2\n1\n", {.directed = true}),
            "g:1: edges = 0, allowed: half of the 2 entries that follow");
}

TEST(Metis, WrongListsAreRefused) {
  EXPECT_EQ(metis_refusal("2 1\n3\n1\n"), "g:2: neighbour = 3, allowed: 1 to 2");
  EXPECT_EQ(metis_refusal("2 1\n2\n0\n"), "g:3: neighbour = 0, allowed: 1 to 2");
  EXPECT_EQ(metis_refusal("2 1\n2\n%\n2\n"), "g:4: vertex 2 lists itself, allowed: others");
  EXPECT_EQ(metis_refusal("2 1 1\n2\n1 1\n"),
            "g:2: weight of an edge missing, allowed: 0 to 18446744073709551615");
  EXPECT_EQ(metis_refusal("2 0 10\n1\n\n"),
            "g:3: size or weight of the vertex missing, allowed: 0 to 18446744073709551615");
}

TEST(Metis, EdgesThatOneEndDoesNotListAreRefused) {
  EXPECT_EQ(metis_refusal("%\n3 2\n2\n1 3\n1\n"),
            "g:5: vertex 3 lists 1 more often than vertex 1 lists 3, allowed: as often");
  EXPECT_EQ(metis_refusal("4 2\n2\n1 4\n2\n\n"),
            "g:4: vertex 3 lists 2 more often than vertex 2 lists 3, allowed: as often");
  EXPECT_EQ(metis_refusal("4 2\n2 3\n1\n%\n\n3\n", {.directed = true}),
            "g:5: vertex 3 lists 1 less often than vertex 1 lists 3, allowed: as often");
  EXPECT_EQ(metis_refusal("3 2\n2 3\n1 1\n"),  // the third line lacks its end
            "g:4: vertex 3 lists 1 less often than vertex 1 lists 3, allowed: as often");
  const std::string uneven = "3 2\n2 2\n1 3\n\n";
  EXPECT_EQ(metis_refusal(uneven, {.multi = true}),
            "g:3: vertex 2 lists 1 less often than vertex 1 lists 2, allowed: as often");
}

}  // namespace
}  // namespace apps
