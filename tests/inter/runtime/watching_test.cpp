// What can be seen of a run of one process: times in states, traces, progress.
#include <gtest/gtest.h>

#include <algorithm>
#include <belay/belay.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "apps/fib/fib.hpp"
#include "tests/inter/runtime/runs.hpp"

namespace belay {
namespace {

using apps::Fib;
using test::Endless;
using test::with_threads;

double sum(const PerState& seconds) { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }

Statistics statistics_of_fib(int n, const Parameters& parameters) {
  Session session;
  return run_with_statistics(session, Fib{}, at_root(n), parameters).statistics;
}

TEST(Watching, TheStatesOfEachThreadAddUpToTheWallTime) {
  const Statistics statistics = statistics_of_fib(24, with_threads(3));
  const RankStatistics& rank = statistics.ranks.front();
  EXPECT_GT(rank.seconds, 0);
  EXPECT_LE(rank.seconds, statistics.seconds);
  for (const auto& worker : rank.workers) {
    EXPECT_NEAR(sum(worker.seconds), rank.seconds, 0.01 * rank.seconds);
  }
  EXPECT_NEAR(sum(rank.communication.seconds), rank.seconds, 0.01 * rank.seconds);
  EXPECT_NEAR(sum(rank.life_story.total()), 3 * rank.seconds, 0.03 * rank.seconds);
}

TEST(Watching, ALongTaskIsTimeOfComputing) {
  struct Sleeper {
    using Task = int;
    using Result = int;
    void operator()(Task milliseconds, Spawn<Task>& /*spawn*/, Result& /*result*/) const {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    }
    static void reduce(Result& into, Result&& from) { into += from; }
  };
  Session session;
  const auto statistics =
      run_with_statistics(session, Sleeper{}, at_root(50), with_threads(2)).statistics;
  const RankStatistics& rank = statistics.ranks.front();
  constexpr auto kComputing = static_cast<std::size_t>(ThreadState::computing);
  constexpr auto kIdle = static_cast<std::size_t>(ThreadState::idle);
  double computing = 0;
  for (const auto& worker : rank.workers) computing += worker.seconds[kComputing];
  EXPECT_GE(computing, 0.050);
  // One has the task, the other has nothing.
  EXPECT_GT(rank.workers[0].seconds[kIdle] + rank.workers[1].seconds[kIdle], 0.010);
  EXPECT_GE(std::max(rank.workers[0].last_task, rank.workers[1].last_task), 0.050);
  EXPECT_GE(statistics.seconds_after_last_task(), 0);
  EXPECT_LE(statistics.seconds_after_last_task(), statistics.seconds - 0.050);
}

TEST(Watching, TheLifeStoryHoldsEveryTask) {
  const Statistics statistics = statistics_of_fib(20, with_threads(2));
  const LifeStory& story = statistics.ranks.front().life_story;
  std::uint64_t tasks = 0;
  for (std::size_t bin = 0; bin < story.bins(); ++bin) tasks += story.tasks(bin);
  EXPECT_EQ(tasks, statistics.tasks());
}

TEST(Watching, AThiefKnowsWhomItRobbed) {
  const Statistics statistics = statistics_of_fib(24, with_threads(3));
  const RankStatistics& rank = statistics.ranks.front();
  ASSERT_EQ(rank.tasks_stolen.size(), 3U * 4U);
  for (std::size_t worker = 0; worker < 3; ++worker) {
    const auto row = rank.tasks_stolen.begin() + static_cast<std::ptrdiff_t>(4 * worker);
    EXPECT_EQ(row[static_cast<std::ptrdiff_t>(worker)], 0U) << "nobody robs itself";
    const auto tasks = std::accumulate(row, row + 4, std::uint64_t{0});
    EXPECT_GE(tasks, rank.workers[worker].chunks_stolen);
    EXPECT_EQ(rank.workers[worker].searches.count(), rank.workers[worker].chunks_stolen);
  }
  // The initial task came from the communication thread's deque.
  EXPECT_EQ(rank.tasks_stolen[3] + rank.tasks_stolen[7] + rank.tasks_stolen[11], 1U);
}

TEST(Watching, WithoutATraceThereAreNoEvents) {
  EXPECT_TRUE(statistics_of_fib(10, with_threads(2)).ranks.front().trace.threads.empty());
}

TEST(Watching, TheStatesInATraceFollowEachOtherWithoutAGap) {
  Parameters parameters = with_threads(2);
  parameters.trace_events = 1'000'000;
  const Statistics statistics = statistics_of_fib(22, parameters);
  const RankStatistics& rank = statistics.ranks.front();
  ASSERT_EQ(rank.trace.threads.size(), 3U);
  std::uint64_t tasks = 0;
  std::size_t steals = 0;
  for (const ThreadTrace& thread : rank.trace.threads) {
    EXPECT_EQ(thread.dropped, 0U);
    std::int64_t end_ns = rank.trace.start_ns;
    for (const TraceEvent& event : thread.events) {
      if (event.kind == TraceEvent::Kind::steal) ++steals;
      if (event.kind != TraceEvent::Kind::state) continue;
      EXPECT_EQ(event.at_ns, end_ns);
      end_ns = event.at_ns + event.length_ns;
      tasks += event.tasks;
    }
    EXPECT_NEAR(static_cast<double>(end_ns - rank.trace.start_ns) * 1e-9, rank.seconds, 1e-6);
  }
  EXPECT_EQ(tasks, statistics.tasks());
  EXPECT_EQ(steals, rank.workers[0].chunks_stolen + rank.workers[1].chunks_stolen);
}

TEST(Watching, ATraceTakesNoMoreRoomThanItMay) {
  Parameters parameters = with_threads(2);
  parameters.trace_events = 3;
  const RankStatistics rank = statistics_of_fib(22, parameters).ranks.front();
  for (const ThreadTrace& thread : rank.trace.threads) {
    EXPECT_LE(thread.events.size(), 3U);
    EXPECT_TRUE(thread.dropped == 0 || thread.events.size() == 3U);
  }
}

TEST(Watching, ProgressIsToldWhileTheRunGoesOn) {
  Session session;
  std::stop_source source;
  std::vector<Progress> told;
  Parameters parameters = with_threads(2);
  parameters.stop = source.get_token();
  parameters.progress = [&](const Progress& progress) {
    told.push_back(progress);
    if (told.size() == 2) source.request_stop();
  };
  EXPECT_THROW(run(session, Endless{}, at_root(1), parameters), Stopped);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_GE(told[0].seconds, 1);
  EXPECT_GE(told[1].seconds, 2);
  EXPECT_GT(told[0].tasks, 0U);
  EXPECT_GT(told[1].tasks, told[0].tasks);
  EXPECT_EQ(told[0].workers, 2);
  EXPECT_EQ(told[0].busy, 1);  // there is but one task
}

TEST(Watching, WhatProgressThrowsEndsTheRun) {
  Session session;
  Parameters parameters = with_threads(1);
  parameters.progress = [](const Progress& /*progress*/) { throw std::runtime_error("no more"); };
  try {
    run(session, Endless{}, at_root(1), parameters);
    FAIL() << "the run ended otherwise";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no more"), std::string::npos) << error.what();
  }
  parameters.progress = {};
  EXPECT_EQ(run(session, Fib{}, at_root(10), parameters), 55);
}

}  // namespace
}  // namespace belay
