#include "apps/common/statistics_table.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/apps/common/watched_run.hpp"

namespace apps {
namespace {

// The columns of the first line that begins with this name.
std::string columns(const std::string& table, const std::string& name) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name + ' ')) continue;
    std::istringstream words(line.substr(name.size()));
    std::string all;
    for (std::string word; words >> word;) all += (all.empty() ? "" : " ") + word;
    return all;
  }
  return "no line " + name;
}

TEST(StatisticsTable, HasTotalMeanDeviationLeastAndMost) {
  belay::Statistics statistics = test::watched_run();
  statistics.ranks[0].workers[0].tasks = 500;
  const std::string table = statistics_table(statistics);
  EXPECT_EQ(columns(table, "workers"), "total mean deviation min max");
  EXPECT_EQ(columns(table, "  tasks"), "800 200.0 173.2 100 500");
  EXPECT_EQ(columns(table, "  s computing"), "0.024000 0.006000 0.000000 0.006000 0.006000");
  EXPECT_EQ(columns(table, "  sent lifeline"), "24 12.0 0.0 12 12");
}

TEST(StatisticsTable, FitsATerminal) {
  belay::Statistics statistics = test::watched_run();
  statistics.ranks[0].workers[0].tasks = std::uint64_t{1} << 62U;
  statistics.ranks[1].communication.bytes_sent = std::uint64_t{1} << 61U;
  std::istringstream lines(statistics_table(statistics));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(StatisticsTable, TellsHowLongStealsTookAndHowManyPrefetchesSucceeded) {
  const std::string table = statistics_table(test::watched_run());
  EXPECT_NE(table.find("searches for work at home: 4, median"), std::string::npos) << table;
  EXPECT_NE(table.find("steals from other ranks: 2, median"), std::string::npos) << table;
  EXPECT_NE(table.find("prefetches that succeeded: 6 of 26\n"), std::string::npos) << table;
  EXPECT_NE(table.find("from the last task to the end: 500 us\n"), std::string::npos) << table;
}

TEST(StatisticsTable, OfARunWithoutStealsSaysSo) {
  belay::Statistics statistics{.seconds = 1, .ranks = {{}}};
  statistics.ranks[0].workers.resize(1);
  const std::string table = statistics_table(statistics);
  EXPECT_NE(table.find("steals from other ranks: none\n"), std::string::npos) << table;
}

}  // namespace
}  // namespace apps
