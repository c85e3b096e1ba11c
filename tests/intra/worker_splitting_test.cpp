// Which bags a worker splits that knows how long its tasks are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include "belay/intra/worker.hpp"
#include "tests/intra/hang_guard.hpp"
#include "tests/intra/problems.hpp"

namespace belay::test {
namespace {

// Tasks of a few nanoseconds that spawn themselves anew: a bag stays as large as it is.
struct Steady : Scripted {
  std::function<void(Bag&)> before_quantum;

  void process(Bag& bag, Local& /*local*/, long& result, Quantum& quantum) const {
    before_quantum(bag);
    while (quantum.take()) ++result;
  }
};

// What the deque of the only worker showed of a bag of two tasks, at most, that it got when it knew
// how short they are; and what as soon as it was asked.
struct Shown {
  std::int64_t alone = 0;
  std::int64_t asked = 0;
};

using Ask = void (*)(NodeShared<Steady>&);

Shown shown_of_two_tasks(Ask ask) {
  constexpr int kLearnt = 200;
  constexpr int kKept = 20;
  Steady problem;
  NodeShared<Steady> node(problem, options_for(2));
  using Deque = ChaseLevDeque<Chunk<Steady::Bag>>;
  Deque::Owner(node.posts[2].deque).push(make_chunk(Steady::Bag{1}));
  Shown shown;
  int quanta = 0;
  problem.before_quantum = [&](Steady::Bag& bag) {
    const std::int64_t now = Deque::Thief(node.posts[0].deque).size();
    if (quanta == kLearnt) bag.push_back(1);
    if (quanta <= kLearnt + kKept) shown.alone = std::max(shown.alone, now);
    if (quanta == kLearnt + kKept) ask(node);
    if (quanta > kLearnt + kKept) {
      shown.asked = now;
      node.end();
    }
    ++quanta;
  };
  Worker<Steady> worker(node, 0, {2, 1});
  worker.run();
  return shown;
}

// Where others disturb a quantum, its tasks seem to be as long as that.
void expect_kept_until(Ask ask) {
  const HangGuard guard;
  std::int64_t alone = 1;
  for (int attempt = 0; attempt < 100 && alone > 0; ++attempt) {
    const Shown shown = shown_of_two_tasks(ask);
    EXPECT_EQ(shown.asked, 1);
    alone = shown.alone;
  }
  EXPECT_EQ(alone, 0);
}

TEST(WorkerSplitting, KeepsABagThatIsNotWorthItUntilAWorkerIsHungry) {
  expect_kept_until([](NodeShared<Steady>& node) { node.hungry = 1; });
}

TEST(WorkerSplitting, KeepsABagThatIsNotWorthItUntilSurplusIsWanted) {
  expect_kept_until([](NodeShared<Steady>& node) { node.surplus_wanted = true; });
}

// As for a thief of another node that was refused and is not remembered.
TEST(WorkerSplitting, KeepsABagThatIsNotWorthItUntilItIsBeckoned) {
  expect_kept_until([](NodeShared<Steady>& node) { node.beckon_all(); });
}

// How many tasks the chunks have that the only worker shows, oldest first, and its bag, a quantum
// after the bag, what was left of 16 tasks when the worker had shared them out, grew to `grown`.
// Before it grows, so many chunks are stolen.
std::vector<std::size_t> all_chunks(Share share, std::size_t grown, int stolen = 0) {
  const HangGuard guard;
  Steady problem;
  NodeOptions options = options_for(2);
  options.quantum = 1;
  options.share = share;
  NodeShared<Steady> node(problem, options);
  using Deque = ChaseLevDeque<Chunk<Steady::Bag>>;
  Deque::Owner(node.posts[2].deque).push(make_chunk(Steady::Bag(16, 1)));
  std::vector<std::size_t> tasks;
  int quanta = 0;
  problem.before_quantum = [&](Steady::Bag& bag) {
    if (quanta++ == 0) {
      for (int i = 0; i < stolen; ++i) {
        Chunk<Steady::Bag>* chunk = nullptr;
        ASSERT_EQ(Deque::Thief(node.posts[0].deque).steal(chunk), Steal::got);
        open_chunk<Steady::Bag>(chunk);
      }
      bag.resize(grown, 1);
      return;
    }
    while (true) {
      Chunk<Steady::Bag>* chunk = nullptr;
      if (Deque::Thief(node.posts[0].deque).steal(chunk) != Steal::got) break;
      tasks.push_back(open_chunk<Steady::Bag>(chunk).size());
    }
    tasks.push_back(bag.size());
    node.end();
  };
  Worker<Steady> worker(node, 0, {2, 1});
  worker.run();
  return tasks;
}

TEST(WorkerSplitting, ShowsHalfOfABagThatHasOutgrownWhatItShows) {
  EXPECT_EQ(all_chunks(Share::half(), 31), (std::vector<std::size_t>{8, 4, 31}));
  EXPECT_EQ(all_chunks(Share::half(), 32), (std::vector<std::size_t>{22, 11, 11}));
  EXPECT_EQ(all_chunks(Share::tasks(3), 100), (std::vector<std::size_t>{3, 3, 100}));
  EXPECT_EQ(all_chunks(Share::half(), 15, 1), (std::vector<std::size_t>{4, 7, 8}));
  EXPECT_EQ(all_chunks(Share::half(), 17, 1), (std::vector<std::size_t>{10, 5, 6}));
}

TEST(WorkerSplitting, AMergeThatThrowsWhileChunksAreMadeAnewFailsTheNode) {
  const HangGuard guard;
  Steady problem;
  NodeOptions options = options_for(2);
  options.quantum = 1;
  NodeShared<Steady> node(problem, options);
  ChaseLevDeque<Chunk<Steady::Bag>>::Owner(node.posts[2].deque)
      .push(make_chunk(Steady::Bag(16, 1)));
  problem.before_quantum = [](Steady::Bag& bag) { bag.resize(32, 1); };
  problem.on_merge = [&] {
    node.end();  // lest it waits for ever
    throw std::runtime_error("out of luck");
  };
  Worker<Steady> worker(node, 0, {2, 1});
  worker.run();
  EXPECT_EQ(node.failure, "out of luck");
}

}  // namespace
}  // namespace belay::test
