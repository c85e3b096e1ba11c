// Runs of a process that is the only rank: they need no MPI, so that the sanitizers see the whole
// library at work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <belay/belay.hpp>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "apps/fib/fib.hpp"
#include "apps/uts/known_trees.hpp"
#include "apps/uts/uts.hpp"
#include "tests/inter/runtime/runs.hpp"

namespace belay {
namespace {

using apps::Fib;
using test::with_threads;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Alone, IsRankZeroOfOne) {
  const Session session;
  EXPECT_EQ(session.rank(), 0);
  EXPECT_EQ(session.size(), 1);
  EXPECT_FALSE(session.host().empty());
  EXPECT_GE(session.cores().count(), 1);
  EXPECT_EQ(session.broadcast(std::string("here")), "here");
  EXPECT_EQ(session.largest(-3), -3);
}

TEST(Alone, CountsRightWithAnyNumberOfThreads) {
  Session session;
  for (int threads : {1, 2, 5}) {
    EXPECT_EQ(run(session, Fib{}, at_root(20), with_threads(threads)), 6765);
    EXPECT_EQ(run(session, Fib{}, on_each_rank(std::vector{10, 10}), with_threads(threads)), 110);
  }
}

TEST(Alone, CountsATreeInTheLongForm) {
  Session session;
  const apps::KnownTree& tree = apps::kKnownTrees[2];
  const apps::UtsProblem problem(tree.parameters);
  const auto [result, statistics] =
      run_with_statistics(session, problem, at_root(problem.root_bag()), with_threads(3));
  EXPECT_EQ(result.nodes, tree.nodes);
  EXPECT_EQ(result.leaves, tree.leaves);
  ASSERT_EQ(statistics.ranks.size(), 1U);
  EXPECT_EQ(statistics.ranks[0].workers.size(), 3U);
  EXPECT_EQ(statistics.tasks(), result.nodes - result.leaves);
}

TEST(Alone, SessionsMayRunSideBySide) {
  Session first;
  Session second;
  long result = 0;
  std::thread other([&] { result = run(second, Fib{}, at_root(18), with_threads(2)); });
  EXPECT_EQ(run(first, Fib{}, at_root(20), with_threads(2)), 6765);
  other.join();
  EXPECT_EQ(result, 2584);
}

struct Throws {
  using Task = int;
  using Result = long;
  void operator()(Task n, Spawn<Task>& spawn, Result& sum) const {
    if (n == 0) throw std::runtime_error("zero");
    spawn(n - 1);
    sum += n;
  }
  static void reduce(Result& into, Result&& from) { into += from; }
};

TEST(Alone, AFailureComesOutAndTheNextRunWorks) {
  Session session;
  for (int i = 0; i < 10; ++i) {
    EXPECT_THAT([&] { run(session, Throws{}, at_root(100), with_threads(2)); },
                ThrowsMessage<Error>(HasSubstr("rank 0: zero")));
    EXPECT_EQ(run(session, Fib{}, at_root(10), with_threads(2)), 55);
  }
}

// Asks for its own end.
struct AsksForItsEnd {
  using Task = int;
  using Result = long;
  std::stop_source* source;
  void operator()(Task n, Spawn<Task>& spawn, Result& /*sum*/) const {
    if (n == 1000) source->request_stop();
    spawn(n + 1 > 1000 ? 1001 : n + 1);
  }
  static void reduce(Result& /*into*/, Result&& /*from*/) {}
};

TEST(Alone, AStopEndsTheRunWithItsStatistics) {
  Session session;
  std::stop_source source;
  auto parameters = with_threads(2);
  parameters.stop = source.get_token();
  try {
    run(session, AsksForItsEnd{&source}, at_root(0), parameters);
    FAIL() << "an endless run ended";
  } catch (const Stopped& stopped) {
    EXPECT_GE(stopped.statistics().tasks(), 1000U);
  }
}

// A task that is moved, never copied, and travels its own way.
class Ticket {
 public:
  explicit Ticket(int number) : number_(std::make_unique<int>(number)) {}
  [[nodiscard]] int number() const { return *number_; }
  void pack(Packer& packer) const { packer.put(*number_); }
  static Ticket unpack(Unpacker& unpacker) { return Ticket(unpacker.get<int>()); }

 private:
  std::unique_ptr<int> number_;
};

struct SumsTickets {
  using Task = Ticket;
  using Result = long;
  void operator()(Task ticket, Spawn<Task>& spawn, Result& sum) const {
    sum += ticket.number();
    if (ticket.number() > 1) {
      spawn(ticket.number() / 2);
      spawn(ticket.number() / 2);
    }
  }
  static void reduce(Result& into, Result&& from) { into += from; }
};

TEST(Alone, TasksNeedOnlyBeMovable) {
  Session session;
  // Each of the 14 levels sums to 2^13.
  EXPECT_EQ(run(session, SumsTickets{}, at_root(Ticket(1 << 13)), with_threads(2)), 14L << 13);
}

// Its result is as large as a vector of scores over many vertices.
struct LargeResult {
  static constexpr std::size_t kSize = 500'000;
  struct Scores : std::vector<double> {
    Scores() : std::vector<double>(kSize) {}
    void pack(Packer& packer) const { packer.put_all(std::span<const double>(*this)); }
    static Scores unpack(Unpacker& unpacker) {
      Scores scores;
      static_cast<std::vector<double>&>(scores) = unpacker.get_all<double>();
      return scores;
    }
  };
  using Task = std::size_t;
  using Result = Scores;
  void operator()(Task at, Spawn<Task>& spawn, Result& scores) const {
    scores[at] += 1;
    if (2 * at + 1 < kSize) spawn(2 * at + 1);
    if (2 * at + 2 < kSize) spawn(2 * at + 2);
  }
  static void reduce(Result& into, Result&& from) {
    for (std::size_t i = 0; i < kSize; ++i) into[i] += from[i];
  }
};

TEST(Alone, ResultsMayBeMegabytes) {
  Session session;
  const auto scores = run(session, LargeResult{}, at_root(std::size_t{0}), with_threads(2));
  EXPECT_THAT(scores, testing::Each(1.0));
}

}  // namespace
}  // namespace belay
