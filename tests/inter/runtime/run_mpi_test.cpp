#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <belay/belay.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "apps/fib/fib.hpp"
#include "tests/inter/runtime/runs.hpp"

namespace belay {
namespace {

using apps::Fib;
using test::with_threads;

class Run : public testing::Test {
 protected:
  Session session_{MPI_COMM_WORLD};
};

TEST_F(Run, CountsRightWithAnyNumberOfThreadsAndQuantum) {
  for (int threads : {1, 2, 3}) {
    for (std::uint32_t quantum : {0U, 1U, 64U}) {
      auto parameters = with_threads(threads);
      parameters.quantum = quantum;
      EXPECT_EQ(run(session_, Fib{}, at_root(20), parameters), 6765);
    }
  }
}

TEST_F(Run, CountsRightWithEveryWayToSteal) {
  for (std::size_t steal : {0U, 1U, 7U}) {
    for (int random_steals : {0, 2}) {
      for (const Prefetch prefetch : {Prefetch::off, Prefetch::ring, Prefetch::random}) {
        auto parameters = with_threads(2);
        parameters.steal = steal;
        parameters.random_steals = random_steals;
        parameters.prefetch = prefetch;
        parameters.lifelines = 1 + random_steals;
        EXPECT_EQ(run(session_, Fib{}, at_root(18), parameters), 2584);
      }
    }
  }
}

TEST_F(Run, EachRankMayBringItsOwnWork) {
  const long sum = run(session_, Fib{}, on_each_rank(10), with_threads(2));
  EXPECT_EQ(sum, 55L * session_.size());
  const std::vector<int> tasks(3, session_.rank() == session_.size() - 1 ? 10 : 0);
  EXPECT_EQ(run(session_, Fib{}, on_each_rank(tasks), with_threads(1)), 165);
}

TEST_F(Run, NoWorkAtAllIsAlsoARun) {
  EXPECT_EQ(run(session_, Fib{}, on_each_rank(std::vector<int>{}), with_threads(2)), 0);
}

TEST_F(Run, MayBeRepeatedOften) {
  for (int i = 0; i < 100; ++i) EXPECT_EQ(run(session_, Fib{}, at_root(5), with_threads(1)), 5);
}

TEST_F(Run, WorksOnPartsOfTheCommunicatorAndSideBySide) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  {
    Session part(half);
    EXPECT_EQ(run(part, Fib{}, at_root(15), with_threads(1)), 610);
    EXPECT_EQ(run(session_, Fib{}, at_root(15), with_threads(1)), 610);
    EXPECT_EQ(run(part, Fib{}, on_each_rank(5), with_threads(2)), 5L * part.size());
  }
  MPI_Comm_free(&half);
}

TEST_F(Run, StatisticsOfAllRanksMeetOnRankZero) {
  const auto outcome = run_with_statistics(session_, Fib{}, at_root(20), with_threads(2));
  const auto& ranks = outcome.statistics.ranks;
  if (session_.rank() != 0) {
    ASSERT_EQ(ranks.size(), 1U);
    EXPECT_EQ(ranks[0].rank, session_.rank());
    return;
  }
  ASSERT_EQ(ranks.size(), static_cast<std::size_t>(session_.size()));
  EXPECT_EQ(outcome.statistics.tasks(), 21'891U);
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t tasks_sent = 0;
  std::uint64_t tasks_received = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    EXPECT_EQ(ranks[i].rank, static_cast<int>(i));
    EXPECT_EQ(ranks[i].workers.size(), 2U);
    sent += ranks[i].communication.loot_sent;
    received += ranks[i].communication.loot_received;
    tasks_sent += ranks[i].communication.tasks_sent;
    tasks_received += ranks[i].communication.tasks_received;
  }
  EXPECT_EQ(sent, received);
  EXPECT_EQ(tasks_sent, tasks_received);
}

// The long form: a bag of intervals, scratch per worker, a result that needs cereal.
struct Histogram {
  struct Bag {
    std::vector<std::pair<int, int>> intervals;
    [[nodiscard]] std::size_t size() const {
      std::size_t sum = 0;
      for (auto [begin, end] : intervals) sum += static_cast<std::size_t>(end - begin);
      return sum;
    }
  };
  using Result = std::map<int, std::vector<long>>;
  using Local = std::vector<int>;

  [[nodiscard]] Bag empty_bag() const { return {}; }
  [[nodiscard]] Result identity() const { return {}; }
  [[nodiscard]] Local make_local() const { return Local(16); }
  void process(Bag& bag, Local& local, Result& result, Quantum& quantum) const {
    while (!bag.intervals.empty()) {
      auto& [begin, end] = bag.intervals.back();
      if (begin == end) {
        bag.intervals.pop_back();
        continue;
      }
      if (!quantum.take()) return;
      local[0] = begin++;
      auto& row = result[local[0] % 7];
      row.resize(3);
      row[static_cast<std::size_t>(local[0] % 3)] += local[0];
    }
  }
  [[nodiscard]] Bag split(Bag& bag, Share share) const {
    Bag part;
    if (bag.intervals.empty()) return part;
    auto& [begin, end] = bag.intervals.front();
    const auto give =
        static_cast<int>(share.of(static_cast<std::size_t>(std::max(0, end - begin))));
    if (give > 0) part.intervals.emplace_back(end - give, end);
    end -= give;
    return part;
  }
  void merge(Bag& into, Bag&& from) const {
    into.intervals.insert(into.intervals.end(), from.intervals.begin(), from.intervals.end());
  }
  void pack(const Bag& bag, Packer& packer) const {
    for (auto [begin, end] : bag.intervals) {
      packer.put(begin);
      packer.put(end);
    }
    packer.put(-1);
  }
  [[nodiscard]] Bag unpack(Unpacker& unpacker) const {
    Bag bag;
    for (int begin = unpacker.get<int>(); begin >= 0; begin = unpacker.get<int>()) {
      bag.intervals.emplace_back(begin, unpacker.get<int>());
    }
    return bag;
  }
  static void reduce(Result& into, Result&& from) {
    for (auto& [key, row] : from) {
      auto& sum = into[key];
      sum.resize(row.size());
      for (std::size_t i = 0; i < row.size(); ++i) sum[i] += row[i];
    }
  }
};
static_assert(Problem<Histogram>);

TEST_F(Run, TheLongFormWithScratchAndAResultThatIsNoPlainValue) {
  constexpr int kNumbers = 20'000;
  Histogram::Bag bag;
  bag.intervals.emplace_back(0, kNumbers);
  const auto result = run(session_, Histogram{}, at_root(bag), with_threads(2));
  Histogram::Result expected;
  for (int i = 0; i < kNumbers; ++i) {
    expected[i % 7].resize(3);
    expected[i % 7][static_cast<std::size_t>(i % 3)] += i;
  }
  EXPECT_EQ(result, expected);
}

struct BigVectors {
  using Task = int;
  using Result = std::vector<double>;
  static constexpr std::size_t kLength = 200'000;
  void operator()(Task n, Spawn<Task>&, Result& sum) const {
    sum.resize(kLength);
    sum[static_cast<std::size_t>(n)] += 1;
  }
  static void reduce(Result& into, Result&& from) {
    into.resize(kLength);
    for (std::size_t i = 0; i < from.size(); ++i) into[i] += from[i];
  }
};

TEST_F(Run, ResultsOfMegabytesAreTheSameOnEveryRank) {
  std::vector<int> tasks(5000);
  for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i] = static_cast<int>(i);
  const auto sum = run(session_, BigVectors{}, at_root(tasks), with_threads(2));
  ASSERT_EQ(sum.size(), BigVectors::kLength);
  EXPECT_EQ(std::count(sum.begin(), sum.end(), 1.0), 5000);
}

// Throws where it is told to.
struct Thrower {
  using Task = int;
  using Result = long;
  std::string where;
  int rank = 0;

  void operator()(Task n, Spawn<Task>& spawn, Result& sum) const {
    ++sum;
    if (where == "process" && n == 0) throw std::runtime_error("no task zero, please");
    if (n > 0) {
      spawn(n - 1);
      spawn(n - 1);
    }
  }
  static void reduce(Result& into, Result&& from) { into += from; }
};

TEST_F(Run, AnExceptionInATaskComesOutOnEveryRankAndTheNextRunWorks) {
  for (int i = 0; i < 20; ++i) {
    try {
      run(session_, Thrower{"process"}, at_root(12), with_threads(2));
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("no task zero, please"), std::string::npos);
      EXPECT_GE(error.rank(), 0);
      EXPECT_LT(error.rank(), session_.size());
      int ranks[2] = {error.rank(), -error.rank()};
      MPI_Allreduce(MPI_IN_PLACE, ranks, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
      EXPECT_EQ(ranks[0], -ranks[1]) << "the ranks disagree on who failed";
    }
    EXPECT_EQ(run(session_, Fib{}, at_root(10), with_threads(2)), 55);
  }
}

TEST_F(Run, TheRankThatFailedIsNamed) {
  const int last = session_.size() - 1;
  struct Local {
    using Task = int;
    using Result = long;
    void operator()(Task n, Spawn<Task>&, Result&) const {
      if (n == 1) throw std::runtime_error("here");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    static void reduce(Result&, Result&&) {}
  };
  try {
    // One task each: it is begun at home before anybody can steal it.
    run(session_, Local{}, on_each_rank(session_.rank() == last ? 1 : 0), with_threads(1));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.rank(), last);
    EXPECT_EQ(std::string(error.what()), "rank " + std::to_string(last) + ": here");
  }
}

struct BadReduce : Fib {
  static void reduce(Result&, Result&&) { throw std::runtime_error("cannot reduce"); }
};

TEST_F(Run, AnExceptionInReduceComesOutOnEveryRank) {
  EXPECT_THROW(run(session_, BadReduce{}, at_root(10), with_threads(2)), Error);
  EXPECT_EQ(run(session_, Fib{}, at_root(10), with_threads(2)), 55);
}

struct BadPack : Histogram {
  void pack(const Bag&, Packer&) const { throw std::runtime_error("cannot pack"); }
};
struct BadUnpack : Histogram {
  [[nodiscard]] Bag unpack(Unpacker&) const { throw 7; }
};

template <class P>
void expect_failure_if_anything_travelled(Session& session) {
  Histogram::Bag bag;
  bag.intervals.emplace_back(0, 200'000);
  try {
    const auto result = run(session, P{}, at_root(bag), with_threads(1));
    EXPECT_EQ(result.size(), 7U);
  } catch (const Error&) {
  }
  EXPECT_EQ(run(session, Fib{}, at_root(10), with_threads(1)), 55);
}

TEST_F(Run, ExceptionsInPackAndUnpackEndTheRun) {
  for (int i = 0; i < 10; ++i) {
    expect_failure_if_anything_travelled<BadPack>(session_);
    expect_failure_if_anything_travelled<BadUnpack>(session_);
  }
}

struct EndlessCrowd {
  using Task = int;
  using Result = long;
  void operator()(Task n, Spawn<Task>& spawn, Result& sum) const {
    ++sum;
    spawn(n);
    if (sum % 3 == 0 && sum < 3000) spawn(n);
  }
  static void reduce(Result& into, Result&& from) { into += from; }
};

TEST_F(Run, AStopRequestedOnOneRankEndsTheRunOnAll) {
  for (int i = 0; i < 5; ++i) {
    std::stop_source source;
    auto parameters = with_threads(2);
    parameters.stop = source.get_token();
    std::thread stopper;
    if (session_.rank() == i % session_.size()) {
      stopper = std::thread([&source] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        source.request_stop();
      });
    }
    try {
      run(session_, EndlessCrowd{}, at_root(1), parameters);
      ADD_FAILURE() << "an endless run ended";
    } catch (const Stopped& stopped) {
      if (session_.rank() == 0) {
        EXPECT_GT(stopped.statistics().tasks(), 0U);
      }
    }
    if (stopper.joinable()) stopper.join();
    EXPECT_EQ(run(session_, Fib{}, at_root(10), with_threads(2)), 55);
  }
}

struct Nested {
  using Task = int;
  using Result = long;
  Session* session;
  void operator()(Task, Spawn<Task>&, Result& sum) const {
    sum += run(*session, Fib{}, at_root(3));
  }
  static void reduce(Result& into, Result&& from) { into += from; }
};

TEST_F(Run, RunInsideATaskIsRefused) {
  EXPECT_THROW(run(session_, Nested{&session_}, at_root(1), with_threads(1)), Error);
  EXPECT_EQ(run(session_, Fib{}, at_root(10), with_threads(1)), 55);
}

TEST_F(Run, ParametersOutOfRangeAreRefusedBeforeAnythingHappens) {
  EXPECT_THROW(run(session_, Fib{}, at_root(3), with_threads(-1)), std::invalid_argument);
  Parameters parameters;
  parameters.lifelines = 0;
  EXPECT_THROW(run(session_, Fib{}, at_root(3), parameters), std::invalid_argument);
}

// The others must not wait for ever for a rank that cannot begin.
TEST_F(Run, ParametersOutOfRangeOnOneRankEndTheRunOnAll) {
  const int wrong = session_.size() - 1;
  auto parameters = with_threads(2);
  if (session_.rank() == wrong) {
    parameters.threads = 5000;
    EXPECT_THROW(run(session_, Fib{}, at_root(10), parameters), std::invalid_argument);
  } else {
    try {
      run(session_, Fib{}, at_root(10), parameters);
      ADD_FAILURE() << "no rank may succeed";
    } catch (const Error& error) {
      EXPECT_EQ(error.rank(), wrong);
    }
  }
  EXPECT_EQ(run(session_, Fib{}, at_root(10), with_threads(1)), 55);
}

// Becomes a task only on the rank that begins with it.
struct RefusesToBeATask {
  operator int() const { throw std::runtime_error("no task"); }  // NOLINT
};

TEST_F(Run, InitialWorkThatThrowsEndsTheRunOnAll) {
  EXPECT_THROW(run(session_, Fib{}, at_root(RefusesToBeATask{}), with_threads(1)), Error);
  EXPECT_EQ(run(session_, Fib{}, at_root(10), with_threads(1)), 55);
}

TEST_F(Run, BroadcastGivesRankZerosValue) {
  EXPECT_EQ(session_.broadcast("from " + std::to_string(session_.rank())), "from 0");
  EXPECT_EQ(session_.broadcast(std::string()), "");
}

}  // namespace
}  // namespace belay
