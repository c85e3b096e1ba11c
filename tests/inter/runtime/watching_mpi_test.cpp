// What can be seen of a run over ranks: who gave work to whom, traces by one clock, progress.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <belay/belay.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <stop_token>
#include <tuple>
#include <vector>

#include "apps/fib/fib.hpp"
#include "belay/inter/runtime/clock_of_root.hpp"
#include "tests/inter/runtime/runs.hpp"

namespace belay {
namespace {

using apps::Fib;
using test::Endless;
using test::with_threads;
using Kind = TraceEvent::Kind;

class Watching : public testing::Test {
 protected:
  [[nodiscard]] Statistics statistics_of_fib(int n, const Parameters& parameters) {
    return run_with_statistics(session_, Fib{}, at_root(n), parameters).statistics;
  }

  Session session_{MPI_COMM_WORLD};
};

TEST_F(Watching, WhatArrivedIsWhatOthersSent) {
  const Statistics statistics = statistics_of_fib(25, with_threads(2));
  if (session_.rank() != 0) return;
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  for (const auto& rank : statistics.ranks) {
    sent += rank.communication.tasks_sent;
    std::uint64_t from_others = 0;
    for (const auto& from : rank.loot_from) {
      EXPECT_NE(from.rank, rank.rank);
      from_others += from.tasks;
    }
    EXPECT_EQ(from_others, rank.communication.tasks_received);
    received += from_others;
  }
  EXPECT_EQ(sent, received);
}

TEST_F(Watching, EveryMessageInTheTraceHasItsSenderAndComesAfterIt) {
  Parameters parameters = with_threads(2);
  parameters.trace_events = 1'000'000;
  const Statistics statistics = statistics_of_fib(25, parameters);
  if (session_.rank() != 0) {
    EXPECT_EQ(statistics.ranks.size(), 1U);
    return;
  }
  // By sender, receiver, kind, kind of request and number: sent when, by rank 0's clock?
  std::map<std::tuple<int, int, bool, int, std::uint32_t>, std::int64_t> sent;
  std::size_t received = 0;
  const auto for_each_message = [&](bool is_received, auto&& call) {
    for (const auto& rank : statistics.ranks) {
      ASSERT_EQ(rank.trace.threads.size(), 3U);
      for (const TraceEvent& event : rank.trace.threads.back().events) {
        const bool loot = event.kind == Kind::loot_sent || event.kind == Kind::loot_received;
        const bool request =
            event.kind == Kind::request_sent || event.kind == Kind::request_received;
        const bool got = event.kind == Kind::loot_received || event.kind == Kind::request_received;
        if ((!loot && !request) || got != is_received) continue;
        const int from = is_received ? event.peer : rank.rank;
        const int to = is_received ? rank.rank : event.peer;
        call(std::tuple{from, to, loot, int{event.detail}, event.number},
             rank.trace.by_clock_of_root(event.at_ns), rank);
      }
    }
  };
  for_each_message(false, [&](const auto& id, std::int64_t at_ns, const RankStatistics&) {
    EXPECT_TRUE(sent.emplace(id, at_ns).second);
  });
  for_each_message(true, [&](const auto& id, std::int64_t at_ns, const RankStatistics& rank) {
    ++received;
    ASSERT_EQ(sent.count(id), 1U);
    const RankTrace& sender = statistics.ranks[static_cast<std::size_t>(std::get<0>(id))].trace;
    const std::int64_t error_ns = std::max(rank.trace.first.error_ns, rank.trace.last.error_ns) +
                                  std::max(sender.first.error_ns, sender.last.error_ns);
    EXPECT_GE(at_ns + error_ns, sent[id]);
  });
  EXPECT_EQ(received, sent.size());
  if (session_.size() > 1) {
    EXPECT_GT(received, 0U);
  }
}

TEST_F(Watching, TheClocksOfOneHostAgreeWithinTheErrorStated) {
  const Session::Hold hold(session_);
  const auto mailbox = session_.ranks().mailbox(hold.run_number(), Ranks::Purpose::clocks);
  const ClockReading reading = read_clock_of_root(*mailbox, session_.rank(), session_.size());
  EXPECT_GE(reading.error_ns, 0);
  EXPECT_LE(std::abs(reading.ahead_ns), reading.error_ns);
}

TEST_F(Watching, ProgressOfAllRanksIsToldOnRankZero) {
  std::stop_source source;
  std::vector<Progress> told;
  Parameters parameters = with_threads(1);
  parameters.stop = source.get_token();
  parameters.progress = [&](const Progress& progress) {
    told.push_back(progress);
    // The others may speak a moment after rank 0 looks.
    if (told.size() == 4) source.request_stop();
  };
  EXPECT_THROW(run(session_, Endless{}, on_each_rank(1), parameters), Stopped);
  if (session_.rank() != 0) {
    EXPECT_TRUE(told.empty());
    return;
  }
  ASSERT_EQ(told.size(), 4U);
  EXPECT_EQ(told.back().workers, session_.size());
  EXPECT_EQ(told.back().busy, session_.size());
  EXPECT_GT(told.back().tasks, told.front().tasks);
}

TEST_F(Watching, AShortRunWithProgressLeavesNoMessageBehind) {
  Parameters parameters = with_threads(1);
  parameters.progress = [](const Progress& /*progress*/) {};
  for (int i = 0; i < 50; ++i) EXPECT_EQ(run(session_, Fib{}, at_root(10), parameters), 55);
}

}  // namespace
}  // namespace belay
