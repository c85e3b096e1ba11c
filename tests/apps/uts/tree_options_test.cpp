#include "apps/uts/tree_options.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace apps {
namespace {

struct Parsed {
  TreeOptions options;
  std::string error;  // nothing if all was well
};

Parsed parse(const std::string& line) {
  Parsed parsed;
  CLI::App app;
  add_tree_options(app, parsed.options);
  try {
    app.parse(line);
  } catch (const std::exception& error) {
    parsed.error = error.what();
  }
  return parsed;
}

// The reference program's own command lines.
struct Published {
  const char* name;
  const char* line;
  std::uint64_t nodes;
  std::optional<std::int32_t> depth;
  std::optional<std::uint64_t> leaves;
};

const std::vector<Published> kPublished{
    {"T1", "-t 1 -a 3 -d 10 -b 4 -r 19", 4130071, 10, 3305118},
    {"T2", "-t 1 -a 2 -d 16 -b 6 -r 502", 4117769, 81, 2342762},
    {"T3", "-t 0 -b 2000 -q 0.124875 -m 8 -r 42", 4112897, 1572, 3599034},
    {"T4", "-t 2 -a 0 -d 16 -b 6 -r 1 -q 0.234375 -m 4", 4132453, 134, 3108986},
    {"T5", "-t 1 -a 0 -d 20 -b 4 -r 34", 4147582, 20, 2181318},
    {"T1L", "-t 1 -a 3 -d 13 -b 4 -r 29", 102181082, 13, 81746377},
    {"T2L", "-t 1 -a 2 -d 23 -b 7 -r 220", 96793510, 67, 53791152},
    {"T3L", "-t 0 -b 2000 -q 0.200014 -m 5 -r 7", 111345631, 17844, 89076904},
    {"T1XL", "-t 1 -a 3 -d 15 -b 4 -r 29", 1635119272, 15, 1308100063},
    {"T1XXL", "-t 1 -a 3 -d 15 -b 4 -r 19", 4230646601, 15, {}},
    {"T3XXL", "-t 0 -b 2000 -q 0.499995 -m 2 -r 316", 2793220501, {}, {}},
    {"T2XXL", "-t 0 -b 2000 -q 0.499999995 -m 2 -r 0", 10612052303, 216370, 5306027151},
    {"T1WL", "-t 1 -a 3 -d 18 -b 4 -r 19", 270751679750, 18, 216601257283},
    {"T2WL", "-t 0 -b 2000 -q 0.4999999995 -m 2 -r 559", 295393891003, 1021239, 147696946501},
    {"T3WL", "-t 0 -b 2000 -q 0.4999995 -m 2 -r 559", 157063495159, 758577, 78531748579},
    {"paper-binomial", "-t 0 -b 2000 -q 0.49995 -m 2 -r 559", 57354859, 19532, 28678429},
    {"paper-binomial-small", "-t 0 -b 2000 -q 0.4995 -m 2 -r 559", 2859057, 1933, 1430528},
    {"paper-binomial-m6", "-t 0 -b 20000 -q 0.166666665 -m 6 -r 42", 510010053, 17633, 425011710},
    {"paper-geometric", "-t 1 -a 3 -d 10 -b 4 -r 0", 6700654, 10, 5358786},
};

TEST(TreeOptions, NamesAndPublishedFlagsMeanTheSameTrees) {
  EXPECT_EQ(kPublished.size(), kKnownTrees.size());
  for (const Published& tree : kPublished) {
    const Parsed by_name = parse(std::string("--tree ") + tree.name);
    const Parsed by_flags = parse(tree.line);
    EXPECT_EQ(by_name.error, "");
    EXPECT_EQ(by_flags.error, "");
    EXPECT_EQ(by_name.options.parameters, by_flags.options.parameters) << tree.name;
    EXPECT_EQ(by_flags.options.known, nullptr);
    ASSERT_NE(by_name.options.known, nullptr);
    EXPECT_EQ(by_name.options.known->nodes, tree.nodes);
    EXPECT_EQ(by_name.options.known->depth, tree.depth);
    EXPECT_EQ(by_name.options.known->leaves, tree.leaves);
  }
}

TEST(TreeOptions, WithoutFlagsAreTheReferenceProgramsDefaults) {
  EXPECT_EQ(parse("").options.parameters, TreeParameters{});
}

TEST(TreeOptions, AllFlagsAreUnderstood) {
  const TreeParameters expected{.type = TreeType::hybrid,
                                .b0 = 3.5,
                                .seed = 5,
                                .shape = Shape::cyclic,
                                .depth = 7,
                                .q = 0.125,
                                .m = 6,
                                .shift_depth = 0.25,
                                .granularity = 9};
  EXPECT_EQ(parse("-t 2 -b 3.5 -r 5 -a 2 -d 7 -q 0.125 -m 6 -f 0.25 -g 9").options.parameters,
            expected);
  EXPECT_EQ(parse("-d 3 -d 7").options.parameters.depth, 7);
}

TEST(TreeOptions, RefusalsSayWhatWasWrong) {
  EXPECT_EQ(parse("-t 4").error, "-t 4: must be a whole number from 0 to 3");
  EXPECT_EQ(parse("-b nan").error, "-b nan: must be a number from 0 to 2147483647");
  EXPECT_EQ(parse("-b 1e8").error, "b = 100000000, allowed: 0 to 10000000");
  EXPECT_EQ(parse("-r -1").error, "-r -1: must be a whole number from 0 to 2147483647");
  EXPECT_EQ(parse("--tree T1 -b 4").error, "--tree and -b: give a name or parameters, not both");
  EXPECT_EQ(parse("--tree T1 -g 4").error, "--tree and -g: give a name or parameters, not both");
  EXPECT_EQ(parse("--tree T9").error, "--tree T9: must be one of " + known_tree_names());
  for (const char* line : {"-t",
                           "-t x",
                           "-t 1.5",
                           "-a 4",
                           "-d -1",
                           "-d 1e3",
                           "-q 2",
                           "-q 0x1",
                           "-m -1",
                           "-m 1.5",
                           "-f -1",
                           "-f inf",
                           "-g 0",
                           "-r 2147483648",
                           "-t 0 -q 0.5 -m 2",
                           "-t 2 -q 0.3 -m 4",
                           "-t 1 -a 1 -d 0",
                           "-t 3 -b 2 -d 63",
                           "--tree",
                           "-z 1",
                           "T1"}) {
    EXPECT_NE(parse(line).error, "") << line;
  }
}

}  // namespace
}  // namespace apps
