// Failures at the moments that are hardest to meet by chance: on two ranks at once, while others
// vote, and after the end was decided. Tasks of different ranks wait for each other through shared
// memory, so all ranks must be on one host. Votes are seen leaving through MPI's profiling
// interface: MPI_Isend below stands in for the library's.
#include <gtest/gtest.h>
#include <mpi.h>

#include <atomic>
#include <belay/belay.hpp>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "apps/fib/fib.hpp"
#include "belay/inter/transport/wire.hpp"

namespace belay {
namespace {

// Seen by all ranks.
struct Board {
  std::atomic<int> arrived{0};  // at the meeting of those who are going to throw
  std::atomic<int> votes{0};    // sent
  std::atomic<int> thrown{0};
};
Board* board = nullptr;  // while a test of this file runs

void count_if_vote(const void* bytes, int size) {
  WireHeader header;
  if (board == nullptr || size != static_cast<int>(sizeof header)) return;
  std::memcpy(&header, bytes, sizeof header);
  if (header.magic == kWireMagic && header.message.kind == MessageKind::vote) ++board->votes;
}

}  // namespace
}  // namespace belay

extern "C" int MPI_Isend(const void* bytes, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm communicator, MPI_Request* request) {
  if (type == MPI_BYTE) belay::count_if_vote(bytes, count);
  return PMPI_Isend(bytes, count, type, to, tag, communicator, request);
}

namespace belay {
namespace {

// A test that would hang fails instead.
template <class Condition>
void wait_until(Condition&& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error("nobody came");
    std::this_thread::yield();
  }
}

class Failures : public testing::Test {
 protected:
  struct Told {
    int rank = -1;  // nobody failed
    std::string message;
  };

  Failures() {
    void* memory = nullptr;
    MPI_Win_allocate_shared(rank() == 0 ? sizeof(Board) : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                            &memory, &window_);
    MPI_Aint bytes = 0;
    int unit = 0;
    MPI_Win_shared_query(window_, 0, &bytes, &unit, &memory);
    if (rank() == 0) new (memory) Board;
    board = static_cast<Board*>(memory);
    parameters_.threads = 1;
    parameters_.quantum = 1;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~Failures() override {
    board = nullptr;
    MPI_Win_free(&window_);
  }

  [[nodiscard]] int rank() const { return session_.rank(); }
  [[nodiscard]] int size() const { return session_.size(); }

  // Of a run, what is the same on all ranks; the session is as good as new then.
  template <class P, class Work>
  Told failure_of(const P& problem, Work work) {
    Told told;
    try {
      run(session_, problem, std::move(work), parameters_);
    } catch (const Error& error) {
      told = {error.rank(), error.what()};
    }
    int ranks[2] = {told.rank, -told.rank};
    MPI_Allreduce(MPI_IN_PLACE, ranks, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_EQ(ranks[0], -ranks[1]) << "the ranks disagree on who failed";
    EXPECT_EQ(run(session_, apps::Fib{}, at_root(10), parameters_), 55);
    if (rank() == 0) new (board) Board;
    MPI_Barrier(MPI_COMM_WORLD);
    return told;
  }

  Session session_{MPI_COMM_WORLD};
  Parameters parameters_;

 private:
  MPI_Win window_ = MPI_WIN_NULL;
};

std::string said_by(int rank, const std::string& what) {
  return "rank " + std::to_string(rank) + ": " + what;
}

// ---- on two ranks at once ----

// A task is the rank that it was given to, or nobody.
struct ThrowTogether {
  using Task = int;
  using Result = long;
  static constexpr int kNobody = -1;
  void operator()(Task rank, Spawn<Task>&, Result&) const {
    if (rank == kNobody) return;
    ++board->arrived;
    wait_until([] { return board->arrived == 2; });
    throw std::runtime_error("thrown on " + std::to_string(rank));
  }
  static void reduce(Result&, Result&&) {}
};

TEST_F(Failures, OfTwoRanksAtOnceOneIsNamedEverywhere) {
  if (size() == 1) GTEST_SKIP() << "takes two ranks";
  for (int i = 0; i < 60; ++i) {
    const int one = i % size();
    const int other = (one + 1 + i / size() % (size() - 1)) % size();
    const bool throws = rank() == one || rank() == other;
    const Told told =
        failure_of(ThrowTogether{}, on_each_rank(throws ? rank() : ThrowTogether::kNobody));
    EXPECT_TRUE(told.rank == one || told.rank == other) << told.rank;
    EXPECT_EQ(told.message, said_by(told.rank, "thrown on " + std::to_string(told.rank)));
  }
}

// ---- while others vote ----

// A task is the number of votes to wait for; what comes of the wait depends on the test.
struct LastTask {
  using Task = int;
  using Result = long;
  void operator()(Task votes, Spawn<Task>&, Result&) const {
    if (votes == 0) return;
    wait_until([votes] { return board->votes >= votes; });
    throw std::runtime_error("too late");
  }
  static void reduce(Result&, Result&&) {}
};

TEST_F(Failures, OfTheLastTaskWhenAllOthersHaveVoted) {
  for (int i = 0; i < 20; ++i) {
    const int last = i % size();
    const int votes = size() - (last == 0 ? 1 : 2);  // the root sends none
    if (votes < 1) continue;
    const Told told = failure_of(LastTask{}, on_each_rank(rank() == last ? votes : 0));
    EXPECT_EQ(told.rank, last);
    EXPECT_EQ(told.message, said_by(last, "too late"));
  }
}

// Keeps rank 0 busy until all others have voted; of the two tasks that it leaves then, one stays
// and waits until the other was thrown on, as loot.
struct LateLoot {
  enum class Task { wait_for_votes, stay_or_throw };
  using Result = long;
  int rank;
  int votes;
  void operator()(Task task, Spawn<Task>& spawn, Result&) const {
    if (task == Task::wait_for_votes) {
      wait_until([this] { return board->votes >= votes; });
      spawn(Task::stay_or_throw);
      spawn(Task::stay_or_throw);
    } else if (rank == 0) {
      wait_until([] { return board->thrown > 0; });
    } else {
      ++board->thrown;
      throw std::runtime_error("late loot");
    }
  }
  static void reduce(Result&, Result&&) {}
};

TEST_F(Failures, OfLootThatReachesARankAfterItsVote) {
  if (size() == 1) GTEST_SKIP() << "nobody sends loot";
  for (int i = 0; i < 20; ++i) {
    const Told told =
        failure_of(LateLoot{rank(), size() - 1}, at_root(LateLoot::Task::wait_for_votes));
    EXPECT_GT(told.rank, 0);
    EXPECT_EQ(told.message, said_by(told.rank, "late loot"));
  }
}

// ---- after the end was decided ----

// A result that travels badly, or cannot be reduced, on one rank.
struct Fragile {
  inline static std::string breaks_on;  // this rank: what throws
  std::vector<long> values;

  static void use(const std::string& what) {
    if (breaks_on == what) throw std::runtime_error("cannot " + what);
  }
  template <class Archive>
  void save(Archive& archive) const {
    use("save");
    archive(values);
  }
  template <class Archive>
  void load(Archive& archive) {
    use("load");
    archive(values);
  }
};

struct CountFragilely {
  using Task = int;
  using Result = Fragile;
  void operator()(Task n, Spawn<Task>& spawn, Result& result) const {
    if (n > 0) spawn(n - 1);
    result.values.push_back(n);
  }
  static void reduce(Result& into, Result&& from) {
    Fragile::use("reduce");
    into.values.insert(into.values.end(), from.values.begin(), from.values.end());
  }
};

class FailuresAfterTheEnd : public Failures {
 protected:
  void expect_failure(int where, const std::string& what) {
    Fragile::breaks_on = rank() == where ? what : "";
    const Told told = failure_of(CountFragilely{}, on_each_rank(3));
    Fragile::breaks_on.clear();
    EXPECT_EQ(told.rank, where);
    EXPECT_EQ(told.message, said_by(where, "cannot " + what));
  }
};

TEST_F(FailuresAfterTheEnd, OfPackingAResultComeOutEverywhere) {
  for (int where = 0; where < size(); ++where) expect_failure(where, "save");
}

TEST_F(FailuresAfterTheEnd, OfReducingTheResultsOfANodeComeOutEverywhere) {
  parameters_.threads = 2;
  for (int where = 0; where < size(); ++where) expect_failure(where, "reduce");
}

// Results go up a binary tree.
TEST_F(FailuresAfterTheEnd, OfTakingInTheResultOfAnotherRankComeOutEverywhere) {
  for (int where = 0; 2 * where + 1 < size(); ++where) {
    expect_failure(where, "load");
    expect_failure(where, "reduce");
  }
}

// Ranks with nobody below them in the tree unpack nothing but the whole, at the very last.
TEST_F(FailuresAfterTheEnd, OfUnpackingTheWholeResultComeOutEverywhere) {
  for (int where = (size() + 1) / 2; where < size(); ++where) {
    if (where > 0) expect_failure(where, "load");
  }
}

TEST_F(FailuresAfterTheEnd, OfSeveralRanksAreOneFailure) {
  Fragile::breaks_on = "save";
  const Told told = failure_of(CountFragilely{}, on_each_rank(3));
  Fragile::breaks_on.clear();
  EXPECT_GE(told.rank, 0);
  EXPECT_EQ(told.message, said_by(told.rank, "cannot save"));
}

}  // namespace
}  // namespace belay
