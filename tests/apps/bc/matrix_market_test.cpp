#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/apps/bc/parse.hpp"

namespace apps {
namespace {

using testing::ElementsAre;

const std::string kGeneral = "%%MatrixMarket matrix coordinate pattern general\n";
const std::string kSymmetric = "%%MatrixMarket matrix coordinate pattern symmetric\n";

Graph parse(const std::string& text, GraphOptions options = {}) {
  return parse_graph(text, GraphFormat::matrix_market, options, "g");
}

std::string refusal(const std::string& text) {
  return test::refusal(text, GraphFormat::matrix_market);
}

TEST(MatrixMarket, EntriesAreEdgesFromRowToColumn) {
  const Graph graph = parse(kGeneral + "3 3 2\n1 2\n3 2\n", {.directed = true});
  EXPECT_TRUE(graph.directed());
  EXPECT_THAT(graph.neighbours(0), ElementsAre(1));
  EXPECT_THAT(graph.neighbours(1), ElementsAre());
  EXPECT_THAT(graph.neighbours(2), ElementsAre(1));
  EXPECT_EQ(graph.label(0), "1");
}

TEST(MatrixMarket, SymmetricEntriesAreEdgesBothWays) {
  for (const char* symmetry : {"symmetric", "skew-symmetric"}) {
    const std::string text =
        std::string("%%MatrixMarket matrix coordinate pattern ") + symmetry + "\n3 3 2\n2 1\n3 2\n";
    EXPECT_EQ(parse(text).edges(), 2U);
    const Graph directed = parse(text, {.directed = true});
    EXPECT_EQ(directed.edges(), 4U);
    EXPECT_THAT(directed.neighbours(1), ElementsAre(0, 2));
  }
}

TEST(MatrixMarket, GeneralEntriesInBothTrianglesAreParallelWhenUndirected) {
  const std::string text = kGeneral + "2 2 2\n1 2\n2 1\n";
  EXPECT_EQ(parse(text).edges(), 1U);
  EXPECT_EQ(parse(text, {.multi = true}).edges(), 2U);
}

TEST(MatrixMarket, ValuesAreDropped) {
  const std::string banner = "%%MatrixMarket matrix coordinate ";
  EXPECT_EQ(
      parse(banner + "real general\n3 3 5\n1 2 0\n1 3 -1.5e-3\n2 3 +2\n2 1 1e999\n3 1 .5").edges(),
      3U);
  EXPECT_EQ(parse(banner + "integer general\n2 2 2\n1 2 -7\n2 1 99999999999999999999\n").edges(),
            1U);
}

TEST(MatrixMarket, CommentsBlanksCaseAndCarriageReturnsDoNotMatter) {
  EXPECT_EQ(parse("%%matrixmarket MATRIX Coordinate Pattern General\r\n% a\xff comment\r\n\r\n"
                  "\t2  2\t1 \r\n%\r\n  1\t2\r\n\r\n")
                .edges(),
            1U);
}

TEST(MatrixMarket, VerticesWithoutEdgesCount) {
  EXPECT_EQ(parse(kGeneral + "1000 1000 0\n").vertices(), 1000U);
}

TEST(MatrixMarket, WrongBannersAreRefused) {
  EXPECT_EQ(refusal(""), "g: is empty; allowed: a Matrix Market file");
  EXPECT_EQ(refusal("\n"), "g:1: first word missing, allowed: %%MatrixMarket");
  EXPECT_EQ(refusal("1 2\n"), "g:1: first word = 1, allowed: %%MatrixMarket");
  EXPECT_EQ(refusal("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n"),
            "g:1: layout = array, allowed: coordinate");
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate complex general\n"),
            "g:1: field = complex, allowed: pattern, real or integer");
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate real hermitian\n"),
            "g:1: symmetry = hermitian, allowed: general, symmetric or skew-symmetric");
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate real general more\n"),
            "g:1: rest of the line = more, allowed: nothing");
}

TEST(MatrixMarket, WrongSizesAreRefused) {
  EXPECT_EQ(refusal(kGeneral),
            "g:2: the text ends before the numbers of rows, columns and entries");
  EXPECT_EQ(refusal(kGeneral + "0 0 0\n"), "g:2: rows = 0, allowed: 1 to 4294967294");
  EXPECT_EQ(refusal(kGeneral + "-2 2 0\n"), "g:2: rows = -2, allowed: 1 to 4294967294");
  EXPECT_EQ(refusal(kGeneral + "1000000000000000000 1000000000000000000 0\n"),
            "g:2: rows = 1000000000000000000, allowed: 1 to 4294967294");
  EXPECT_EQ(refusal(kGeneral + "2 3 0\n"), "g:2: columns of an adjacency matrix = 3, allowed: 2");
  EXPECT_EQ(refusal(kGeneral + "2 2\n"),
            "g:2: entries missing, allowed: 0 to 18446744073709551615");
  EXPECT_EQ(refusal(kGeneral + "2 2 99999999999999999999\n"),
            "g:2: entries = 99999999999999999999, allowed: 0 to 18446744073709551615");
  EXPECT_EQ(refusal(kGeneral + "2 2 0 0\n"), "g:2: rest of the line = 0, allowed: nothing");
  EXPECT_EQ(test::refusal(kGeneral + "2 2 0\n", GraphFormat::matrix_market, {}, "g", 31),
            "g:2: rows = 2 are more than memory has room for, allowed: 1");
}

TEST(MatrixMarket, EntriesMustBeAsManyAsTheHeaderSays) {
  EXPECT_EQ(refusal(kGeneral + "%\n2 2 2\n1 2\n"),
            "g:3: entries = 2, allowed: 1, as many as follow");
  EXPECT_EQ(refusal(kGeneral + "2 2 0\n1 2\n"), "g:2: entries = 0, allowed: 1, as many as follow");
  EXPECT_EQ(refusal(kSymmetric + "2 2 18446744073709551615\n1 2\n"),
            "g:2: entries = 18446744073709551615, allowed: 1, as many as follow");
}

TEST(MatrixMarket, WrongEntriesAreRefused) {
  const auto entry = [](const std::string& line) { return refusal(kGeneral + "2 2 1\n" + line); };
  EXPECT_EQ(entry("0 1\n"), "g:3: row = 0, allowed: 1 to 2");
  EXPECT_EQ(entry("3 1\n"), "g:3: row = 3, allowed: 1 to 2");
  EXPECT_EQ(entry("1 18446744073709551617\n"),
            "g:3: column = 18446744073709551617, allowed: 1 to 2");
  EXPECT_EQ(entry("1\n"), "g:3: column missing, allowed: 1 to 2");
  EXPECT_EQ(entry("1 2 5\n"), "g:3: rest of the line = 5, allowed: nothing");
  EXPECT_EQ(entry("1,2\n"), "g:3: row = 1,2, allowed: 1 to 2");
  const auto real = [](const std::string& line) {
    return refusal("%%MatrixMarket matrix coordinate real general\n2 2 1\n" + line);
  };
  EXPECT_EQ(real("1 2"), "g:3: value missing, allowed: a number");
  EXPECT_EQ(real("1 2 x"), "g:3: value = x, allowed: a number");
  EXPECT_EQ(real("1 2 + 1"), "g:3: value = +, allowed: a number");
  EXPECT_EQ(real("1 2 +-1"), "g:3: value = +-1, allowed: a number");
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 1.5\n"),
            "g:3: value = 1.5, allowed: a whole number");
}

}  // namespace
}  // namespace apps
