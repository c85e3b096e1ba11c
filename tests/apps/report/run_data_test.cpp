#include "apps/report/run_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "apps/common/statistics_json.hpp"
#include "apps/report/figure_data.hpp"
#include "tests/apps/report/made_up_run.hpp"

namespace apps::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const double missing = 0;
    EXPECT_NEAR(i < a.size() ? a[i] : missing, i < b.size() ? b[i] : missing, 1e-6) << i;
  }
}

void expect_same_thread(const ThreadData& a, const ThreadData& b) {
  EXPECT_DOUBLE_EQ(a.tasks, b.tasks);
  for (std::size_t state = 0; state < belay::kThreadStates; ++state) {
    EXPECT_NEAR(a.seconds[state], b.seconds[state], 1e-6) << kThreadStateNames[state];
  }
  expect_near(a.stolen_from, b.stolen_from);
}

class TraceAndReport : public testing::TestWithParam<std::pair<std::size_t, std::size_t>> {
 protected:
  MadeUpRun made_up = make_up_run(GetParam().first, GetParam().second);
  RunData trace = parse_run(trace_of(made_up));
  RunData report = parse_run(report_of(made_up).dump());
};

TEST_P(TraceAndReport, AgreeOnThreads) {
  ASSERT_THAT(trace.ranks, SizeIs(made_up.ranks));
  ASSERT_THAT(report.ranks, SizeIs(made_up.ranks));
  EXPECT_DOUBLE_EQ(trace.seconds, report.seconds);
  EXPECT_EQ(trace.program, report.program);
  EXPECT_EQ(trace.config, report.config);
  for (std::size_t rank = 0; rank < made_up.ranks; ++rank) {
    SCOPED_TRACE(rank);
    const RankData& a = trace.ranks[rank];
    const RankData& b = report.ranks[rank];
    EXPECT_EQ(a.host, b.host);
    ASSERT_THAT(a.workers, SizeIs(made_up.workers));
    ASSERT_THAT(b.workers, SizeIs(made_up.workers));
    for (std::size_t i = 0; i < made_up.workers; ++i) {
      SCOPED_TRACE(i);
      EXPECT_GT(a.workers[i].tasks, 0);
      expect_same_thread(a.workers[i], b.workers[i]);
    }
    expect_same_thread(a.communication, b.communication);
    EXPECT_EQ(a.loot_from.empty(), made_up.ranks == 1);
    expect_near(a.loot_from, b.loot_from);
  }
}

TEST_P(TraceAndReport, AgreeOnDurations) {
  EXPECT_THAT(trace.search_times, SizeIs(testing::Gt(5)));
  EXPECT_EQ(trace.search_times, report.search_times);
  EXPECT_EQ(trace.steal_times, report.steal_times);
  EXPECT_EQ(trace.steal_times.empty(), made_up.ranks == 1);
}

TEST_P(TraceAndReport, AgreeOnTheLifeStory) {
  // A trace is cut more finely.
  for (int part = 0; part < 10; ++part) {
    LifeStory::Bin sums[2];
    for (const auto* run : {&trace, &report}) {
      const LifeStory& story = run->life_story;
      LifeStory::Bin& sum = sums[run == &report ? 1 : 0];
      for (std::size_t i = 0; i < story.bins().size(); ++i) {
        const double middle = (static_cast<double>(i) + 0.5) * story.bin_seconds();
        if (middle < 0.1 * part || middle > 0.1 * (part + 1)) continue;
        sum.tasks += story.bins()[i].tasks;
        for (std::size_t s = 0; s < belay::kThreadStates; ++s)
          sum.seconds[s] += story.bins()[i].seconds[s];
      }
    }
    const double slack = 0.01 * static_cast<double>(made_up.ranks * made_up.workers);
    EXPECT_NEAR(sums[0].tasks, sums[1].tasks, slack * 4e6);
    for (std::size_t s = 0; s < belay::kThreadStates; ++s) {
      EXPECT_NEAR(sums[0].seconds[s], sums[1].seconds[s], slack);
    }
  }
  const belay::PerState seconds = seconds_in_states(trace);
  for (std::size_t s = 0; s < belay::kThreadStates; ++s) {
    for (const auto* run : {&trace, &report}) {
      double sum = 0;
      for (const LifeStory::Bin& bin : run->life_story.bins()) sum += bin.seconds[s];
      EXPECT_NEAR(sum, seconds[s], 1e-6);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, TraceAndReport,
                         testing::Values(std::pair(1U, 3U), std::pair(2U, 2U), std::pair(3U, 20U)));

TEST(RunData, OldReportHasTasksAlone) {
  const RunData run = parse_run(
      R"({"program": "hybrid", "config": {"threads": 1}, "seconds": 2.5, "tasks": 12,
          "ranks": [{"rank": 0, "host": "n", "workers": [{"tasks": 5}, {"tasks": 7}]}]})");
  EXPECT_DOUBLE_EQ(run.ranks.at(0).workers.at(1).tasks, 7);
  EXPECT_THAT(run.life_story.bins(), IsEmpty());
  EXPECT_THAT(run.search_times, IsEmpty());
}

TEST(RunData, StoppedRunAndDroppedEventsAreRemarkedUpon) {
  EXPECT_THAT(parse_run(R"({"ranks": [{"workers": [{"tasks": 5}]}], "stopped": "SIGINT"})").remarks,
              ElementsAre(HasSubstr("SIGINT")));
  EXPECT_THAT(parse_run(R"({"otherData": {"dropped_events": 3}, "traceEvents": [
                            {"ph": "X", "name": "idle", "pid": 0, "tid": 0, "ts": 0, "dur": 1}]})")
                  .remarks,
              ElementsAre(HasSubstr("3 events")));
}

TEST(RunData, ArrowWithOneHalfIsLeftOut) {
  const RunData run = parse_run(R"({"traceEvents": [
      {"ph": "X", "name": "computing", "pid": 0, "tid": 0, "ts": 0, "dur": 1},
      {"ph": "s", "name": "steal", "id": 1, "pid": 0, "tid": 0, "ts": 1, "args": {"tasks": 4}},
      {"ph": "f", "name": "steal", "id": 2, "pid": 0, "tid": 0, "ts": 1},
      {"ph": "f", "name": "steal", "id": 3, "pid": 0, "tid": 1, "ts": 1},
      {"ph": "s", "name": "steal", "id": 3, "pid": 0, "tid": 0, "ts": 1, "args": {"tasks": 9}}]})");
  EXPECT_THAT(run.ranks.at(0).workers.at(0).stolen_from, ElementsAre(0, 9));
}

struct Refused {
  const char* text;
  const char* says;
};

class BadRun : public testing::TestWithParam<Refused> {};

TEST_P(BadRun, IsRefusedInOneLine) {
  try {
    static_cast<void>(parse_run(GetParam().text));
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n")));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Texts, BadRun,
    testing::Values(
        Refused{"", "is empty"}, Refused{"a\nb", "is not JSON"},
        Refused{"{\"ranks\": [", "is not JSON"}, Refused{"[1, 2]", "no workers"},
        Refused{"7", "no workers"}, Refused{"{}", "no workers"},
        Refused{R"({"ranks": []})", "no workers"}, Refused{R"({"traceEvents": []})", "no workers"},
        Refused{R"({"ranks": 5})", "\"ranks\""},
        Refused{R"({"program": 5, "ranks": []})", "\"program\""},
        Refused{R"({"ranks": [{"workers": [{"tasks": -1}]}]})", "\"tasks\""},
        Refused{R"({"ranks": [{"workers": [{"tasks": 1e19}]}]})", "\"tasks\""},
        Refused{R"({"ranks": [{"workers": [{"tasks_stolen_from": ["x"]}]}]})", "tasks_stolen_from"},
        Refused{R"({"ranks": [{"communication": {"loot_from": [{"rank": 1}]}}]})", "\"rank\""},
        Refused{R"({"ranks": [{"search_time_us": {"buckets": [3]}}]})", "\"buckets\""},
        Refused{R"({"ranks": [{"life_story": {"bin_seconds": 0, "idle": [1]}}]})", "bin_seconds"},
        Refused{R"({"traceEvents": [{"ph": "X", "name": "idle", "pid": -1, "tid": 0}]})",
                "\"pid\""},
        Refused{R"({"traceEvents": [{"ph": "X", "name": "idle", "pid": 0, "tid": 1e9}]})",
                "\"tid\""},
        Refused{R"({"traceEvents": [{"ph": "X", "name": "idle", "pid": 0, "tid": 0, "ts": "a"}]})",
                "\"ts\""}));

}  // namespace
}  // namespace apps::test
