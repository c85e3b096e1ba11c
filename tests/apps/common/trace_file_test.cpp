#include "apps/common/trace_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/apps/common/watched_run.hpp"

namespace apps {
namespace {

using belay::RequestKind;
using belay::ThreadState;
using belay::TraceEvent;
using Json = nlohmann::ordered_json;
using Kind = TraceEvent::Kind;

TraceEvent state(ThreadState what, std::int64_t at_ns, std::int64_t length_ns,
                 std::uint64_t tasks = 0) {
  return {.at_ns = at_ns,
          .length_ns = length_ns,
          .tasks = tasks,
          .kind = Kind::state,
          .detail = static_cast<std::uint8_t>(what)};
}

TraceEvent message(Kind kind, std::int64_t at_ns, int peer, std::uint64_t tasks = 0) {
  return {.at_ns = at_ns,
          .tasks = tasks,
          .peer = peer,
          .kind = kind,
          .detail = static_cast<std::uint8_t>(RequestKind::lifeline)};
}

// Rank 1's clock is ahead by a second. It asks rank 0, which gives it 44 tasks.
belay::Statistics traced_run() {
  constexpr std::int64_t kAhead = 1'000'000'000;
  belay::Statistics run = test::watched_run();
  belay::RankTrace& first = run.ranks[0].trace;
  first.start_ns = 5000;
  first.threads.resize(3);
  first.threads[0].events = {state(ThreadState::computing, 6000, 2500, 40)};
  first.threads[1].events = {{.at_ns = 7000, .tasks = 9, .peer = 0, .kind = Kind::steal}};
  first.threads[2].events = {message(Kind::request_received, 7500, 1),
                             message(Kind::loot_sent, 7600, 1, 44)};
  belay::RankTrace& second = run.ranks[1].trace;
  second.start_ns = kAhead + 5500;
  second.first = {.at_ns = kAhead, .ahead_ns = kAhead, .error_ns = 200};
  second.last = {.at_ns = kAhead + 10'000, .ahead_ns = kAhead, .error_ns = 700};
  second.threads.resize(3);
  second.threads[2].events = {message(Kind::request_sent, kAhead + 7400, 0),
                              message(Kind::loot_received, kAhead + 7700, 0, 44)};
  second.threads[0].dropped = 12;
  return run;
}

class TraceFile : public testing::Test {
 protected:
  ~TraceFile() override { std::filesystem::remove(file_); }

  Json written(const std::string& suffix) {
    std::filesystem::remove(file_);
    // Other tests of this file run at the same time, in processes of their own.
    const std::string name = "belay_trace_test_" + std::to_string(getpid()) + suffix;
    file_ = (std::filesystem::temp_directory_path() / name).string();
    write_trace(file_, {{"program", "prog"}}, traced_run());
    gzFile file = gzopen(file_.c_str(), "rb");  // reads what is not compressed, too
    std::string text;
    std::array<char, 4096> part{};
    for (int got = 1; got > 0;) {
      got = gzread(file, part.data(), static_cast<unsigned>(part.size()));
      text.append(part.data(), static_cast<std::size_t>(std::max(0, got)));
    }
    gzclose(file);
    return Json::parse(text);
  }

  std::string file_;
};

std::vector<Json> events_of(const Json& trace, const std::string& phase, const std::string& name) {
  std::vector<Json> found;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == phase && event["name"] == name) found.push_back(event);
  }
  return found;
}

TEST_F(TraceFile, NamesEveryRankAndThread) {
  const Json trace = written(".json");
  ASSERT_EQ(events_of(trace, "M", "process_name").size(), 2U);
  EXPECT_EQ(events_of(trace, "M", "process_name")[1]["args"]["name"], "rank 1 (host1)");
  const auto threads = events_of(trace, "M", "thread_name");
  ASSERT_EQ(threads.size(), 6U);
  EXPECT_EQ(threads[1]["args"]["name"], "worker 1");
  EXPECT_EQ(threads[5]["args"]["name"], "communication");
  EXPECT_EQ(threads[5]["tid"], 2);
}

TEST_F(TraceFile, StatesAreSlicesFromTheStartOfTheRun) {
  const Json trace = written(".json");
  const auto slices = events_of(trace, "X", "computing");
  ASSERT_EQ(slices.size(), 1U);
  EXPECT_EQ(slices[0]["ts"], 1.0);
  EXPECT_EQ(slices[0]["dur"], 2.5);
  EXPECT_EQ(slices[0]["args"]["tasks"], 40);
}

TEST_F(TraceFile, AnArrowLeadsFromTheThiefToTheVictim) {
  const Json trace = written(".json");
  const auto thief = events_of(trace, "s", "steal");
  const auto victim = events_of(trace, "f", "steal");
  ASSERT_EQ(thief.size(), 1U);
  ASSERT_EQ(victim.size(), 1U);
  EXPECT_EQ(thief[0]["tid"], 1);
  EXPECT_EQ(thief[0]["args"]["tasks"], 9);
  EXPECT_EQ(victim[0]["tid"], 0);
  EXPECT_EQ(victim[0]["id"], thief[0]["id"]);
}

TEST_F(TraceFile, MessagesOfTwoRanksMeetByOneClock) {
  const Json trace = written(".json");
  const auto asked = events_of(trace, "s", "lifeline");
  const auto heard = events_of(trace, "f", "lifeline");
  ASSERT_EQ(asked.size(), 1U);
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_EQ(asked[0]["pid"], 1);
  EXPECT_EQ(asked[0]["ts"], 2.4);
  EXPECT_EQ(heard[0]["pid"], 0);
  EXPECT_EQ(heard[0]["ts"], 2.5);
  const auto given = events_of(trace, "s", "loot");
  ASSERT_EQ(given.size(), 1U);
  EXPECT_EQ(given[0]["pid"], 0);
  EXPECT_EQ(given[0]["args"]["tasks"], 44);
  EXPECT_EQ(events_of(trace, "f", "loot")[0]["ts"], 2.7);
}

TEST_F(TraceFile, SaysWhatIsMissingAndHowExactTimesAre) {
  const Json other = written(".json")["otherData"];
  EXPECT_EQ(other["program"], "prog");
  EXPECT_EQ(other["dropped_events"], 12);
  EXPECT_EQ(other["clock_error_us"], 0.7);
}

TEST_F(TraceFile, IsCompressedIfItsNameSaysSo) {
  const Json plain = written(".json");
  const auto plain_size = std::filesystem::file_size(file_);
  std::filesystem::remove(file_);
  EXPECT_EQ(written(".json.gz"), plain);
  EXPECT_LT(std::filesystem::file_size(file_), plain_size / 2);
}

TEST_F(TraceFile, OneThatCannotBeWrittenThrows) {
  EXPECT_THROW(write_trace("/no/such/folder/trace", {}, traced_run()), std::runtime_error);
  EXPECT_THROW(write_trace("/dev/full", {}, traced_run()), std::runtime_error);
}

}  // namespace
}  // namespace apps
