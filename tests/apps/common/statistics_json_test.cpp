#include "apps/common/statistics_json.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "tests/apps/common/watched_run.hpp"

namespace apps {
namespace {

using Json = nlohmann::ordered_json;

const Json& watched_rank() {
  static const Json json = to_json(test::watched_run().ranks[1]);
  return json;
}

void collect_keys(const Json& json, std::set<std::string>& keys) {
  for (const auto& [key, value] : json.items()) {
    if (json.is_object()) keys.insert(key);
    if (value.is_structured()) collect_keys(value, keys);
  }
}

TEST(StatisticsJson, EveryKeyIsInTheReadme) {
  std::ifstream file(BELAY_SOURCE_DIR "/README.md");
  const std::string readme((std::istreambuf_iterator<char>(file)), {});
  std::set<std::string> keys;
  collect_keys(watched_rank(), keys);
  EXPECT_GT(keys.size(), 40U);
  for (const std::string& key : keys) {
    EXPECT_NE(readme.find('`' + key + '`'), std::string::npos) << key;
  }
}

TEST(StatisticsJson, AWorkerTellsItsStatesAndWhomItRobbed) {
  const Json& worker = watched_rank()["workers"][1];
  EXPECT_EQ(worker["tasks"], 100);
  EXPECT_EQ(worker["steals"], 3);
  EXPECT_EQ(worker["states"], Json({{"computing", 0.006},
                                    {"stealing", 0.001},
                                    {"distributing", 0.001},
                                    {"probing", 0.0005},
                                    {"idle", 0.0015}}));
  EXPECT_EQ(worker["last_task_seconds"], 0.009);
  EXPECT_EQ(worker["tasks_stolen_from"], Json({9, 0, 21}));
}

TEST(StatisticsJson, ARankTellsWhatCameFromOthers) {
  const Json& rank = watched_rank();
  EXPECT_EQ(rank["rank"], 1);
  EXPECT_EQ(rank["host"], "host1");
  EXPECT_EQ(rank["seconds"], 0.01);
  const Json& communication = rank["communication"];
  EXPECT_EQ(communication["loot_from"], Json::array({{{"rank", 0}, {"tasks", 44}}}));
  EXPECT_EQ(communication["sent"]["prefetch"]["requests"], 13);
  EXPECT_EQ(communication["sent"]["prefetch"]["loot"], 3);
  EXPECT_EQ(communication["decided_seconds"], 0.0095);
}

TEST(StatisticsJson, DurationsComeInBucketsThatHoldAll) {
  const Json& searches = watched_rank()["search_time_us"];
  EXPECT_EQ(searches["count"], 2);
  ASSERT_EQ(searches["buckets"].size(), 1U);
  EXPECT_LE(searches["buckets"][0][0], 1.0);
  EXPECT_GT(searches["buckets"][0][0], 0.8);
  EXPECT_EQ(searches["buckets"][0][1], 2);
}

TEST(StatisticsJson, TheLifeStoryHasANumberPerBinAndState) {
  const Json& story = watched_rank()["life_story"];
  const auto bins = story["tasks"].size();
  double computing = 0;
  double tasks = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    computing += story["computing"][bin].get<double>() * story["bin_seconds"].get<double>();
    tasks += story["tasks"][bin].get<double>();
  }
  EXPECT_NEAR(computing, 0.012, 1e-5);
  EXPECT_EQ(tasks, 200);
  for (const char* state : kThreadStateNames) EXPECT_EQ(story[state].size(), bins) << state;
}

}  // namespace
}  // namespace apps
