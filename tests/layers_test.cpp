// Includes point one way: the layer that a file belongs to says what the file may see.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "tests/source_tree.hpp"

namespace belay::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Rule {
  const char* files;
  const char* sees;  // of the project's own headers, MPI's and hwloc's
  bool pure;         // neither threads nor clocks: time and random numbers are handed in
};

// The first rule whose `files` match holds.
constexpr Rule kRules[] = {
    {"core/.*", "belay/core/.*", true},
    {"intra/.*", "belay/(core|intra)/.*|hwloc\\.h", false},
    {"inter/protocol/.*", "belay/(core|inter/protocol)/.*", true},
    {"inter/sim/.*", "belay/(core|inter/(protocol|sim))/.*", true},
    {"inter/transport/.*", "belay/(core|inter/(protocol|transport))/.*", false},
    {"inter/mpi/.*", "belay/(core|inter/(transport|mpi))/.*|mpi\\.h", false},
    {"inter/runtime/session\\.hpp", "belay/(core|intra|inter/(transport|runtime))/.*|mpi\\.h",
     false},
    {"inter/runtime/session\\.cpp", "belay/(core|intra|inter/(transport|mpi|runtime))/.*", false},
    {"inter/runtime/.*", "belay/(core|intra|inter/(protocol|transport|runtime))/.*", false},
    {"inter/belay\\.hpp", "belay/(core|inter/runtime)/.*", false},
    {"apps/([^/]+)/\\1\\.hpp", "belay/core/.*|apps/.*", false},
    {"apps/.*", "belay/belay\\.hpp|belay/core/.*|apps/.*", false},
};

bool matches(const std::string& text, const char* pattern) {
  return std::regex_match(text, std::regex(pattern));
}

// Adds what `file` includes against `rule`. Headers of apps/ count as part of whoever includes
// them, so that a problem header cannot reach the runtime through another one.
void check(const SourceTree& tree, const std::string& file, const Rule& rule,
           std::set<std::string>& visited, std::set<std::string>& violations) {
  const auto source = tree.find(file);
  if (source == tree.end() || !visited.insert(file).second) return;
  for (const std::string& line : lines_of(source->second)) {
    static const std::regex kInclude(R"re(\s*#\s*include\s*([<"]([^>"]+)[>"]).*)re");
    std::smatch include;
    if (!std::regex_match(line, include, kInclude)) continue;
    const std::string spelling = include[1];
    const std::string header = include[2];
    const bool watched = matches(spelling, "\".*|<(belay|apps)/.*|<(mpi|hwloc).*");
    const bool impure =
        matches(header, "thread|mutex|condition_variable|future|chrono|ctime|time\\.h|pthread\\.h");
    if ((watched && !matches(header, rule.sees)) || (rule.pure && impure)) {
      violations.insert(file + " includes " + header);
    }
    if (header.starts_with("apps/")) check(tree, header, rule, visited, violations);
  }
}

std::set<std::string> violations_in(const SourceTree& tree) {
  std::set<std::string> violations;
  for (const auto& entry : tree) {
    const std::string& file = entry.first;
    const auto* rule = std::find_if(std::begin(kRules), std::end(kRules),
                                    [&](const Rule& r) { return matches(file, r.files); });
    if (rule == std::end(kRules)) {
      violations.insert(file + " belongs to no layer");
      continue;
    }
    std::set<std::string> visited;
    check(tree, file, *rule, visited, violations);
  }
  return violations;
}

TEST(Layers, IncludesPointOneWay) {
  const SourceTree tree = read_sources({"core", "intra", "inter", "apps"});
  ASSERT_TRUE(tree.contains("core/rng.hpp"));
  EXPECT_THAT(violations_in(tree), IsEmpty());
}

struct Example {
  const char* file;
  const char* allowed;
  const char* forbidden;
};

void PrintTo(const Example& example, std::ostream* out) { *out << example.file; }

class Layer : public testing::TestWithParam<Example> {};

TEST_P(Layer, SeesWhatItMayAndNothingElse) {
  const auto& [file, allowed, forbidden] = GetParam();
  const std::string include = "#include ";
  EXPECT_THAT(violations_in({{file, include + allowed}}), IsEmpty());
  const std::string header(forbidden + 1, std::string(forbidden).size() - 2);
  EXPECT_THAT(violations_in({{file, include + forbidden}}),
              ElementsAre(std::string(file) + " includes " + header));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Layer,
    testing::Values(
        Example{"core/a.hpp", R"("belay/core/b.hpp")", R"("belay/intra/b.hpp")"},
        Example{"core/a.hpp", "<vector>", "<thread>"},  //
        Example{"core/a.hpp", "<stop_token>", "<chrono>"},
        Example{"core/a.cpp", "<atomic>", "<mpi.h>"},
        Example{"core/a.cpp", "<cereal/cereal.hpp>", "<hwloc.h>"},
        Example{"core/a.cpp", R"("belay/core/b.hpp")", R"("b.hpp")"},
        Example{"intra/a.hpp", R"("belay/core/b.hpp")", R"("belay/inter/protocol/b.hpp")"},
        Example{"intra/a.cpp", "<hwloc.h>", "<mpi.h>"},
        Example{"inter/protocol/a.hpp", R"("belay/core/b.hpp")", R"("belay/intra/b.hpp")"},
        Example{"inter/protocol/a.cpp", "<deque>", "<chrono>"},
        Example{"inter/protocol/a.cpp", R"("belay/inter/protocol/b.hpp")",
                R"("belay/inter/mpi/b.hpp")"},
        Example{"inter/sim/a.hpp", R"("belay/inter/protocol/b.hpp")", R"("belay/intra/b.hpp")"},
        Example{"inter/sim/a.hpp", R"("belay/inter/sim/b.hpp")", "<mpi.h>"},
        Example{"inter/mpi/a.hpp", "<mpi.h>", R"("belay/intra/b.hpp")"},
        Example{"inter/transport/a.hpp", R"("belay/inter/protocol/b.hpp")",
                R"("belay/inter/mpi/b.hpp")"},
        Example{"inter/mpi/a.cpp", R"("belay/inter/transport/b.hpp")", "<hwloc.h>"},
        Example{"inter/runtime/a.hpp", R"("belay/intra/b.hpp")", R"("belay/inter/sim/b.hpp")"},
        Example{"inter/runtime/a.hpp", R"("belay/inter/transport/b.hpp")", "<mpi.h>"},
        Example{"inter/runtime/a.hpp", R"("belay/inter/transport/b.hpp")",
                R"("belay/inter/mpi/b.hpp")"},
        Example{"inter/runtime/session.cpp", R"("belay/inter/mpi/b.hpp")", "<mpi.h>"},
        Example{"inter/runtime/session.hpp", "<mpi.h>", "<hwloc.h>"},
        Example{"inter/belay.hpp", R"("belay/inter/runtime/run.hpp")", "<mpi.h>"},
        Example{"apps/uts/main.cpp", "<belay/belay.hpp>", R"("belay/inter/runtime/run.hpp")"},
        Example{"apps/uts/main.cpp", R"("apps/common/b.hpp")", "<mpi.h>"},
        Example{"apps/uts/uts.hpp", R"("belay/core/b.hpp")", "<belay/belay.hpp>"}));

TEST(Layers, ProblemHeaderDoesNotReachTheRuntimeThroughAnotherHeader) {
  EXPECT_THAT(violations_in({{"apps/uts/uts.hpp", R"(#include "apps/uts/bag.hpp")"},
                             {"apps/uts/bag.hpp", "#include <belay/belay.hpp>"}}),
              ElementsAre("apps/uts/bag.hpp includes belay/belay.hpp"));
}

TEST(Layers, FileOutsideTheLayersIsReported) {
  EXPECT_THAT(violations_in({{"inter/stray.hpp", ""}}),
              ElementsAre("inter/stray.hpp belongs to no layer"));
}

}  // namespace
}  // namespace belay::test
