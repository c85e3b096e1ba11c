#include "apps/common/options.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace apps {
namespace {

// A program with the shared options, a number and a flag of its own.
struct Program {
  CLI::App app{"A program.", "prog"};
  CommonOptions options;
  double own = 0;

  Program() {
    add_number(app, "-x", own, 0, 10, "a number of its own");
    add_common_options(app, options);
  }

  // As rank 0 does.
  detail::Verdict parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "/bin/prog");
    return detail::parse_first(app, options, static_cast<int>(arguments.size()), arguments.data(),
                               out, err);
  }

  std::ostringstream out;
  std::ostringstream err;
};

// What rank 0 broadcasts, as seen by the ranks of a run.
struct FakeSession {
  int own_rank;
  std::string* wire;

  [[nodiscard]] int rank() const { return own_rank; }
  [[nodiscard]] std::string broadcast(std::string value) const {
    if (own_rank == 0) *wire = std::move(value);
    return *wire;
  }
};

class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::filesystem::path scratch_file(const std::string& name) {
  const auto path = std::filesystem::path(testing::TempDir()) /
                    ("belay_options_test_" + std::to_string(getpid()) + name);
  std::filesystem::remove(path);
  return path;
}

TEST(CommonOptions, DefaultsAreThoseOfTheParameters) {
  Program program;
  EXPECT_EQ(program.parse({}).status, std::nullopt);
  const belay::Parameters defaults;
  EXPECT_EQ(program.options.parameters.threads, defaults.threads);
  EXPECT_EQ(program.options.parameters.quantum, defaults.quantum);
  EXPECT_EQ(program.options.parameters.steal, defaults.steal);
  EXPECT_EQ(program.options.parameters.prefetch, belay::Prefetch::random);
  EXPECT_TRUE(program.options.parameters.bind);
  EXPECT_FALSE(program.options.verify);
  EXPECT_EQ(program.options.json, "");
  EXPECT_FALSE(program.options.quiet);
}

TEST(CommonOptions, AllAreUnderstood) {
  Program program;
  const auto verdict =
      program.parse({"--threads", "3", "--quantum", "128", "--random-steals=2", "--lifelines", "4",
                     "--steal", "20", "--prefetch", "ring", "--bind", "none", "--seed",
                     "18446744073709551615", "--verify", "--json", "-", "--quiet"});
  EXPECT_EQ(verdict.status, std::nullopt) << program.err.str();
  const belay::Parameters& p = program.options.parameters;
  EXPECT_EQ(p.threads, 3);
  EXPECT_EQ(p.quantum, 128U);
  EXPECT_EQ(p.random_steals, 2);
  EXPECT_EQ(p.lifelines, 4);
  EXPECT_EQ(p.steal, 20U);
  EXPECT_EQ(p.prefetch, belay::Prefetch::ring);
  EXPECT_FALSE(p.bind);
  EXPECT_EQ(p.seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(program.options.json, "-");
  EXPECT_TRUE(program.options.verify);
  EXPECT_TRUE(program.options.quiet);
}

TEST(CommonOptions, WordsStandForZero) {
  Program program;
  program.options.parameters.quantum = 9;
  program.options.parameters.steal = 9;
  EXPECT_EQ(program.parse({"--quantum", "auto", "--steal", "half"}).status, std::nullopt);
  EXPECT_EQ(program.options.parameters.quantum, 0U);
  EXPECT_EQ(program.options.parameters.steal, 0U);
}

TEST(CommonOptions, EnvironmentCountsAndCommandLineWins) {
  const Environment threads("BELAY_THREADS", "5");
  const Environment steals("BELAY_RANDOM_STEALS", "7");
  const Environment prefetch("BELAY_PREFETCH", "off");
  const Environment quiet("BELAY_QUIET", "false");
  Program program;
  EXPECT_EQ(program.parse({"--threads", "2"}).status, std::nullopt);
  EXPECT_EQ(program.options.parameters.threads, 2);
  EXPECT_EQ(program.options.parameters.random_steals, 7);
  EXPECT_EQ(program.options.parameters.prefetch, belay::Prefetch::off);
  EXPECT_FALSE(program.options.quiet);
}

TEST(CommonOptions, BindingIsToCoresOrNone) {
  const Environment bind("BELAY_BIND", "none");
  Program by_environment;
  EXPECT_EQ(by_environment.parse({}).status, std::nullopt);
  EXPECT_FALSE(by_environment.options.parameters.bind);
  Program by_line;
  EXPECT_EQ(by_line.parse({"--bind", "cores"}).status, std::nullopt);
  EXPECT_TRUE(by_line.options.parameters.bind);
  Program wrong;
  EXPECT_EQ(wrong.parse({"--bind", "sockets"}).status, 2);
  EXPECT_EQ(wrong.err.str(), "prog: --bind sockets: must be cores or none\n");
}

TEST(CommonOptions, LastOneCounts) {
  Program program;
  EXPECT_EQ(program.parse({"--threads", "2", "--threads", "3"}).status, std::nullopt);
  EXPECT_EQ(program.options.parameters.threads, 3);
}

TEST(CommonOptions, BadInputIsOneLineAndStatus2) {
  const std::vector<std::vector<const char*>> wrong{{"--threads", "0"},
                                                    {"--threads", "-1"},
                                                    {"--threads", "two"},
                                                    {"--threads", ""},
                                                    {"--json", ""},
                                                    {"--threads", "5000"},
                                                    {"--threads", "99999999999999"},
                                                    {"--threads"},
                                                    {"--threads", "1.5"},
                                                    {"--quantum", "0"},
                                                    {"--quantum", "often"},
                                                    {"--random-steals", "-1"},
                                                    {"--lifelines", "0"},
                                                    {"--lifelines", "65"},
                                                    {"--steal", "0"},
                                                    {"--steal", "halves"},
                                                    {"--bind", "core"},
                                                    {"--bind", ""},
                                                    {"--bind"},
                                                    {"--seed", "-1"},
                                                    {"--quiet=perhaps"},
                                                    {"--unknown"},
                                                    {"stray"},
                                                    {"-x", "nan"},
                                                    {"-x", "11"},
                                                    {"--json", "/"},
                                                    {"--json", "/no/such/folder/report.json"}};
  for (const auto& arguments : wrong) {
    Program program;
    EXPECT_EQ(program.parse(arguments).status, 2) << arguments.front();
    const std::string line = program.err.str();
    EXPECT_TRUE(line.starts_with("prog: ")) << line;
    EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
    EXPECT_EQ(program.out.str(), "");
  }
}

TEST(CommonOptions, ErrorsNameWhereTheValueIsFrom) {
  Program by_line;
  EXPECT_EQ(by_line.parse({"--threads", "0"}).status, 2);
  EXPECT_EQ(by_line.err.str(), "prog: --threads 0: must be a whole number from 1 to 4096\n");
  const Environment threads("BELAY_THREADS", "0");
  Program by_environment;
  EXPECT_EQ(by_environment.parse({}).status, 2);
  EXPECT_EQ(by_environment.err.str(),
            "prog: BELAY_THREADS=0: must be a whole number from 1 to 4096\n");
}

TEST(CommonOptions, HelpIsStatus0AndHasALineForEachOption) {
  Program program;
  EXPECT_EQ(program.parse({"--help"}).status, 0);
  EXPECT_EQ(program.err.str(), "");
  std::istringstream help(program.out.str());
  int explained = 0;
  for (std::string line; std::getline(help, line);) {
    EXPECT_LE(line.size(), 100U) << line;
    if (line.find("default") != std::string::npos) ++explained;
  }
  EXPECT_EQ(explained, 16) << "of all but --quiet, --json";
}

TEST(CommonOptions, AllRanksTakeRankZerosWord) {
  std::string wire;
  Program first;
  Program second;
  {
    const Environment quantum("BELAY_QUANTUM", "77");
    const Environment bind("BELAY_BIND", "none");
    const char* line[] = {"prog", "--threads", "2", "-x", "1.5", "--quiet"};
    EXPECT_EQ(parse(FakeSession{0, &wire}, first.app, first.options, 6, line), std::nullopt);
  }
  // Elsewhere the launcher gave other arguments and another environment, wrong ones too.
  const Environment lifelines("BELAY_LIFELINES", "5");
  const Environment steal("BELAY_STEAL", "nonsense");
  const char* line[] = {"prog", "--threads", "0"};
  EXPECT_EQ(parse(FakeSession{1, &wire}, second.app, second.options, 3, line), std::nullopt);
  EXPECT_EQ(second.options.parameters.threads, 2);
  EXPECT_EQ(second.options.parameters.quantum, 77U);
  EXPECT_FALSE(second.options.parameters.bind);
  EXPECT_EQ(second.options.parameters.lifelines, 3);
  EXPECT_EQ(second.options.parameters.steal, 0U);
  EXPECT_EQ(second.own, 1.5);
  EXPECT_TRUE(second.options.quiet);
}

TEST(CommonOptions, AllRanksReturnRankZerosStatus) {
  std::string wire = detail::Verdict{2, {}}.pack();
  Program program;
  const char* line[] = {"prog"};
  EXPECT_EQ(parse(FakeSession{3, &wire}, program.app, program.options, 1, line), 2);
  wire = detail::Verdict{0, {}}.pack();
  EXPECT_EQ(parse(FakeSession{3, &wire}, program.app, program.options, 1, line), 0);
}

TEST(CommonOptions, NormalFormCarriesAnyText) {
  std::string wire;
  Program first;
  Program second;
  const auto file = scratch_file("odd = 'name\"\n -x");
  const std::string name = file.string();
  const char* line[] = {"prog", "--json", name.c_str()};
  EXPECT_EQ(parse(FakeSession{0, &wire}, first.app, first.options, 3, line), std::nullopt);
  EXPECT_EQ(parse(FakeSession{1, &wire}, second.app, second.options, 3, line), std::nullopt);
  EXPECT_EQ(second.options.json, name);
}

TEST(CommonOptions, CheckingTheJsonFileLeavesNoTrace) {
  const auto fresh = scratch_file("fresh.json");
  Program first;
  EXPECT_EQ(first.parse({"--json", fresh.c_str()}).status, std::nullopt);
  EXPECT_FALSE(std::filesystem::exists(fresh));

  const auto old = scratch_file("old.json");
  std::ofstream(old) << "precious";
  Program second;
  EXPECT_EQ(second.parse({"--json", old.c_str()}).status, std::nullopt);
  EXPECT_EQ(read(old), "precious");
  std::filesystem::remove(old);
}

}  // namespace
}  // namespace apps
