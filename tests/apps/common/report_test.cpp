#include "apps/common/report.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace apps {
namespace {

Report example() {
  Report report{.program = "prog",
                .config = {{"tree", nullptr}, {"b", 4}},
                .result = {{"nodes", 3'000'000}},
                .check = Check{.source = "as published"},
                .mpi_library = "An MPI 1.0",
                .parameters = belay::Parameters{},
                .statistics = {},
                .counted = "nodes"};
  report.statistics.seconds = 1.5;
  report.statistics.ranks.resize(2);
  std::uint64_t value = 1;
  for (auto& rank : report.statistics.ranks) {
    rank.rank = static_cast<int>(&rank - report.statistics.ranks.data());
    rank.host = "host" + std::to_string(rank.rank);
    rank.workers.resize(2);
    for (auto& worker : rank.workers) {
      worker.tasks = value++;
      worker.chunks_stolen = value++;
      worker.steals_lost = value++;
    }
    rank.communication.loot_received = value++;
    rank.communication.sent.requests = {11, 12, 13};
    rank.communication.received.no_work = {21, 22, 23};
  }
  return report;
}

CommonOptions options_for(const std::string& json, bool quiet) {
  CommonOptions options;
  options.json = json;
  options.quiet = quiet;
  return options;
}

std::string captured_stdout(const Report& report, const CommonOptions& options) {
  testing::internal::CaptureStdout();
  publish(report, options);
  return testing::internal::GetCapturedStdout();
}

TEST(Report, JsonHasTheStableKeys) {
  const auto json = to_json(example());
  std::string keys;
  for (const auto& [key, value] : json.items()) keys += key + ' ';
  EXPECT_EQ(keys, "program config result verdict seconds tasks seconds_after_last_task ranks ");

  EXPECT_EQ(json["program"], "prog");
  EXPECT_EQ(json["result"]["nodes"], 3'000'000);
  EXPECT_EQ(json["seconds"], 1.5);
  EXPECT_EQ(json["tasks"], 1 + 4 + 8 + 11);

  const auto& config = json["config"];
  EXPECT_TRUE(config["tree"].is_null());
  EXPECT_EQ(config["b"], 4);
  EXPECT_EQ(config["mpi_library"], "An MPI 1.0");
  EXPECT_EQ(config["ranks"], 2);
  EXPECT_EQ(config["threads"], 2);
  EXPECT_EQ(config["quantum"], "auto");
  EXPECT_EQ(config["policy"], "lifeline");
  EXPECT_EQ(config["random_steals"], 1);
  EXPECT_EQ(config["lifelines"], 3);
  EXPECT_EQ(config["steal"], "half");
  EXPECT_EQ(config["prefetch"], "random");
  EXPECT_EQ(config["prefetch_below"], "auto");
  EXPECT_EQ(config["chunks_shown"], 2);
  EXPECT_EQ(config["seed"], 1);
  EXPECT_EQ(config["bind"], "cores");

  ASSERT_EQ(json["ranks"].size(), 2U);
  const auto& rank = json["ranks"][1];
  EXPECT_EQ(rank["rank"], 1);
  EXPECT_EQ(rank["host"], "host1");
  ASSERT_EQ(rank["workers"].size(), 2U);
  for (const char* key : {"tasks", "quanta", "chunks_published", "chunks_taken_back", "steals",
                          "steals_lost", "waits", "sleeps"}) {
    EXPECT_TRUE(rank["workers"][0][key].is_number_unsigned()) << key;
  }
  EXPECT_EQ(rank["workers"][0]["steals"], 9);
  const auto& communication = rank["communication"];
  EXPECT_EQ(communication["sent"]["lifeline"]["requests"], 12);
  EXPECT_EQ(communication["received"]["prefetch"]["no_work"], 23);
  for (const char* key : {"loot_sent", "loot_received", "tasks_sent", "tasks_received",
                          "bytes_sent", "bytes_received", "votes", "wakeups"}) {
    EXPECT_TRUE(communication[key].is_number_unsigned()) << key;
  }
}

TEST(Report, APlainProgramReportsNoMoreThanItCounts) {
  Report report = example();
  report.parameters.reset();
  const auto json = to_json(report);
  std::string keys;
  for (const auto& [key, value] : json.items()) keys += key + ' ';
  EXPECT_EQ(keys, "program config result verdict seconds tasks ranks ");
  EXPECT_EQ(json["config"],
            nlohmann::ordered_json({{"tree", nullptr}, {"b", 4}, {"ranks", 2}, {"threads", 2}}));
  EXPECT_EQ(json["ranks"][1],
            nlohmann::ordered_json(
                {{"rank", 1}, {"host", "host1"}, {"workers", {{{"tasks", 8}}, {{"tasks", 11}}}}}));
  EXPECT_EQ(to_text(report).find("host1"), std::string::npos);
}

TEST(Report, JsonSaysWhatWasSet) {
  Report report = example();
  report.parameters->quantum = 64;
  report.parameters->steal = 20;
  report.parameters->bind = false;
  EXPECT_EQ(to_json(report)["config"]["quantum"], 64);
  EXPECT_EQ(to_json(report)["config"]["steal"], 20);
  EXPECT_EQ(to_json(report)["config"]["bind"], "none");
}

TEST(Report, TextHasConfigResultRateAndALinePerRank) {
  const std::string text = to_text(example());
  EXPECT_TRUE(text.starts_with("prog: b 4\n")) << text;
  for (const char* part : {"mpi_library An MPI 1.0, ranks 2, threads 2",
                           "result: nodes 3000000: right, as published\n", "1.500 s, 2.00 Mnodes/s",
                           "host0\n", "host1\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

TEST(Report, TheRateIsOfTasksUnlessTheResultHasWhatIsCounted) {
  Report report = example();
  report.counted.clear();
  report.statistics.ranks[0].workers[0].tasks = 1'500'000;
  EXPECT_NE(to_text(report).find(", 1.00 Mtasks/s\n"), std::string::npos) << to_text(report);
}

TEST(Report, ComparesWhatIsKnownAndNothingElse) {
  const nlohmann::ordered_json result{{"nodes", 4}, {"leaves", 3U}, {"depth", 1}};
  EXPECT_TRUE(compare(result, {{"nodes", 4U}, {"leaves", nullptr}}, "").right);
  EXPECT_FALSE(compare(result, {{"nodes", 4}, {"depth", 2}}, "").right);
  EXPECT_EQ(compare(result, {{"nodes", 4}, {"leaves", nullptr}, {"depth", 2}}, "").expected,
            "nodes 4, depth 2");
}

TEST(Report, AWrongResultIsSaidAndFails) {
  Report report = example();
  EXPECT_EQ(status_of(report), 0);
  report.check = compare(report.result, {{"nodes", 5}}, "as published");
  EXPECT_EQ(status_of(report), kFailed);
  EXPECT_EQ(to_json(report)["verdict"], "WRONG, not as published");
  testing::internal::CaptureStderr();
  EXPECT_EQ(captured_stdout(report, options_for("", true)), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "prog: wrong result: nodes 3000000; right is nodes 5, as published\n");
  report.check.reset();
  EXPECT_EQ(status_of(report), 0);
  EXPECT_FALSE(to_json(report).contains("verdict"));
}

TEST(Report, JsonOnStdoutIsAloneThere) {
  testing::internal::CaptureStderr();
  const std::string out = captured_stdout(example(), options_for("-", false));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), to_text(example()));
  EXPECT_EQ(nlohmann::ordered_json::parse(out), to_json(example()));
}

TEST(Report, QuietIsQuiet) {
  EXPECT_EQ(captured_stdout(example(), options_for("", true)), "");
  EXPECT_EQ(captured_stdout(example(), {}), to_text(example()));
}

TEST(Report, FileIsReplaced) {
  const auto file = std::filesystem::path(testing::TempDir()) /
                    ("belay_report_test_" + std::to_string(getpid()) + ".json");
  std::ofstream(file) << std::string(100'000, 'x');
  publish(example(), options_for(file.string(), true));
  std::ifstream stream(file);
  EXPECT_EQ(nlohmann::ordered_json::parse(stream), to_json(example()));
  std::filesystem::remove(file);
}

TEST(Report, FailureToWriteIsAnError) {
  EXPECT_THROW(publish(example(), options_for("/dev/full", true)), std::runtime_error);
  EXPECT_THROW(publish(example(), options_for("/no/such/folder/x", true)), std::runtime_error);
}

}  // namespace
}  // namespace apps
