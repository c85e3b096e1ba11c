// The real protocol on tens of thousands of random clusters and schedules. A failure prints the
// seed; the same seed gives the same run, event by event: belay-simulate --first SEED --count 1
// --log.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "belay/inter/sim/simulation.hpp"
#include "tests/inter/sim/random_cluster.hpp"
#include "tests/inter/sim/random_tree.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BELAY_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BELAY_SANITIZED
#endif

namespace belay::sim {
namespace {

// Shards, so that ctest runs them side by side: a minute of one core in all. Under a sanitizer,
// which takes ten times longer and looks for other mistakes, every twentieth seed.
class Seeds : public testing::TestWithParam<std::uint64_t> {};
constexpr std::uint64_t kShards = 40;
constexpr std::uint64_t kSeedsPerShard = 1000;
#ifdef BELAY_SANITIZED
constexpr std::uint64_t kStride = 20;
#else
constexpr std::uint64_t kStride = 1;
#endif

TEST_P(Seeds, KeepAllPromises) {
  const std::uint64_t first = GetParam() * kSeedsPerShard;
  for (std::uint64_t seed = first; seed < first + kSeedsPerShard; seed += kStride) {
    ASSERT_NO_THROW(check_seed(seed));
  }
}

INSTANTIATE_TEST_SUITE_P(Shards, Seeds, testing::Range<std::uint64_t>(0, kShards));

TEST(Simulation, TheSameSeedGivesTheSameEvents) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::ostringstream first;
    std::ostringstream second;
    check_seed(seed, &first);
    check_seed(seed, &second);
    ASSERT_FALSE(first.str().empty());
    ASSERT_TRUE(first.str() == second.str()) << "seed " << seed;
  }
}

TEST(Simulation, ObserversChangeNothing) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::ostringstream log;
    ASSERT_EQ(check_seed(seed), check_seed(seed, &log)) << "seed " << seed;
  }
}

TEST(Simulation, ABoundOnEventsTurnsAnEndlessRunIntoAnError) {
  const RandomTree function;
  const Tree tree(function);
  SimulationOptions options;
  options.most_events = 10;
  EXPECT_THROW(Simulation(tree, options).run({RandomTree::Task{1, 10, 0}}), std::logic_error);
}

// The root of the first tree from this seed on that has so many tasks.
RandomTree::Task root_of(std::size_t tasks, std::uint64_t seed = 3) {
  RandomTree::Task root{seed, 30, 0};
  while (tasks_of({root}, 10 * tasks).size() < tasks) ++root.seed;
  return root;
}

TEST(Simulation, SixteenNodesShareOneTree) {
  const RandomTree function;
  const Tree tree(function);
  SimulationOptions options;
  options.nodes = 16;
  const auto outcome = Simulation(tree, options).run({root_of(100'000)});
  int with_loot = 0;
  for (const auto& node : outcome.nodes) with_loot += node.loot_received > 0 ? 1 : 0;
  EXPECT_GE(with_loot, 15) << "every node but the first lives on loot";
}

// Two nodes of one worker share a tree of 100,000 tasks, and ask ahead for want of surplus alone;
// ten times.
std::uint64_t prefetches(const Costs& costs) {
  const RandomTree function;
  const Tree tree(function);
  SimulationOptions options;
  options.workers = 1;
  options.quantum = 0;
  options.few_tasks = 0;
  options.costs = costs;
  std::uint64_t sum = 0;
  std::uint64_t seed = 3;
  for (int i = 0; i < 10; ++i) {
    const RandomTree::Task root = root_of(100'000, seed);
    seed = root.seed + 1;
    for (const auto& node : Simulation(tree, options).run({root}).nodes) {
      sum += node.sent.requests[static_cast<std::size_t>(RequestKind::prefetch)];
    }
  }
  return sum;
}

// The communication thread wakes up later than a worker that went on would publish again.
TEST(Simulation, WhoWakesTheCommunicationThreadOnItsOwnCoreIsFoundAsItWas) {
  Costs costs;
  costs.wake_up = 20'000;
  const std::uint64_t elsewhere = prefetches(costs);
  costs.shares_cores = true;
  EXPECT_GT(10 * prefetches(costs), 11 * elsewhere);
}

TEST(Simulation, ACommunicationThreadThatIsHeldUpHearsNothingMeanwhile) {
  Costs costs;
  const std::uint64_t prompt = prefetches(costs);
  costs.held_up_share = 1;
  costs.held_up = 2'000'000;
  EXPECT_LT(2 * prefetches(costs), prompt);
}

// How long messages lie, by what the node that they come to is doing.
struct PickUps final : Observer {
  enum Why : std::uint8_t { someone_listens, nothing_is_awaited, all_compute };

  PickUps(int nodes, int workers) : per_node(static_cast<std::size_t>(nodes)) {
    for (Node& node : per_node) node.workers[0] = workers;
  }

  void handle_state(Nanoseconds /*now*/, int rank, WorkerState from, WorkerState to) override {
    --of(rank).workers[static_cast<std::size_t>(from)];
    ++of(rank).workers[static_cast<std::size_t>(to)];
  }
  void handle_sent(Nanoseconds /*now*/, const Envelope& envelope) override {
    if (envelope.message.kind == MessageKind::request) ++of(envelope.from).unanswered;
  }
  void handle_arrived(Nanoseconds now, const Envelope& envelope) override {
    if (!is_about_work(envelope)) return;
    const auto& [computing, stealing, waiting] = of(envelope.to).workers;
    const bool awaits = of(envelope.to).unanswered > 0;
    if (stealing > 0 || computing == 0 || (waiting > 0 && awaits)) {
      arrived[key(envelope)] = {now, someone_listens};
    } else {
      arrived[key(envelope)] = {now, waiting > 0 ? nothing_is_awaited : all_compute};
    }
  }
  void handle_received(Nanoseconds now, const Envelope& envelope) override {
    if (!is_about_work(envelope)) return;
    const auto [then, why] = arrived[key(envelope)];
    longest[why] = std::max(longest[why], now - then);
    const bool is_answer = envelope.message.kind != MessageKind::request && !envelope.message.late;
    if (is_answer) --of(envelope.to).unanswered;
  }

  struct Node {
    std::array<int, kWorkerStates> workers{};
    int unanswered = 0;  // requests
  };
  using Key = std::tuple<int, int, Nanoseconds, MessageKind, RequestKind>;
  static Key key(const Envelope& envelope) {
    return {envelope.from, envelope.to, envelope.sent, envelope.message.kind,
            envelope.message.request};
  }
  static bool is_about_work(const Envelope& envelope) {
    return envelope.message.kind == MessageKind::request ||
           envelope.message.kind == MessageKind::loot ||
           envelope.message.kind == MessageKind::refusal;
  }
  Node& of(int rank) { return per_node[static_cast<std::size_t>(rank)]; }

  std::vector<Node> per_node;
  std::map<Key, std::pair<Nanoseconds, Why>> arrived;
  std::array<Nanoseconds, 3> longest{};
};

TEST(Simulation, AMessageIsPickedUpAtOnceWhereSomebodyListens) {
  const RandomTree function;
  const Tree tree(function);
  SimulationOptions options;
  options.nodes = 4;
  options.workers = 3;
  options.costs.task = 200'000;
  options.costs.pick_up = 1'000'000;
  options.costs.idle_pick_up = 500;
  options.costs.shares_cores = true;
  PickUps pick_ups(options.nodes, options.workers);
  options.observers = {&pick_ups};
  Simulation(tree, options).run({root_of(2'000)});
  EXPECT_LE(pick_ups.longest[PickUps::someone_listens], options.costs.idle_pick_up);
  EXPECT_GT(pick_ups.longest[PickUps::someone_listens], 0);
  EXPECT_GT(pick_ups.longest[PickUps::nothing_is_awaited], options.costs.idle_pick_up);
  EXPECT_GT(pick_ups.longest[PickUps::all_compute], options.costs.idle_pick_up);
}

TEST(Simulation, ABagOfFewShortTasksIsLeftWhole) {
  struct Published final : Observer {
    void handle_published(Nanoseconds /*now*/, int /*rank*/, ChunkId /*id*/) override { ++count; }
    int count = 0;
  };
  const RandomTree function;
  const Tree tree(function);
  const RandomTree::Task root = root_of(100'000);
  const auto published = [&](std::uint32_t many_tasks, Nanoseconds task,
                             Nanoseconds much_work = SimulationOptions{}.much_work) {
    Published chunks;
    SimulationOptions options;
    options.quantum = 0;
    options.many_tasks = many_tasks;
    options.much_work = much_work;
    options.costs.task = task;
    options.observers = {&chunks};
    Simulation(tree, options).run({root});
    return chunks.count;
  };
  EXPECT_EQ(published(0, 20), published(2, 20)) << "of fewer than two tasks there is no half";
  EXPECT_LT(3 * published(30, 20), published(0, 20));
  EXPECT_EQ(published(30, 1'000), published(0, 1'000)) << "they are not short";
  EXPECT_GT(published(1'000'000, 20, 1'000'000'000), 0) << "for those who ask";
}

TEST(Simulation, WhoHasFewTasksAsksAheadAndSaysHowMany) {
  struct Prefetches final : Observer {
    void handle_sent(Nanoseconds /*now*/, const Envelope& envelope) override {
      const Message& message = envelope.message;
      if (message.kind != MessageKind::request || message.request != RequestKind::prefetch) return;
      ++count;
      if (message.tasks >= 40) ++with_forty;
    }
    int count = 0;
    int with_forty = 0;
  };
  const RandomTree function;
  const Tree tree(function);
  const RandomTree::Task root = root_of(100'000);
  const auto run_with = [&](std::uint32_t few_tasks, Prefetches& all) {
    SimulationOptions options;
    options.quantum = 0;
    options.few_tasks = few_tasks;
    options.observers = {&all};
    Simulation(tree, options).run({root});
  };
  Prefetches none_are_few;
  run_with(0, none_are_few);
  Prefetches forty_are_few;
  run_with(40, forty_are_few);
  EXPECT_GT(forty_are_few.count, none_are_few.count);
  EXPECT_GT(forty_are_few.with_forty, none_are_few.with_forty) << "of a worker; there are two";
}

// The most chunks that lie on one node's communication thread's deque.
struct Stocks final : Interference {
  void report(int /*rank*/, LocalState& state) override { most = std::max(most, state.arrived); }
  std::uint32_t most = 0;
};

// While each worker is busy with a task that takes as long as many requests and answers.
TEST(Simulation, WhoIsBusyForLongLaysInFourBagsForEachHalfOfItsWorkers) {
  const RandomTree function;
  const Tree tree(function);
  for (const int workers : {1, 4}) {
    Stocks stocks;
    SimulationOptions options;
    options.nodes = 16;
    options.workers = workers;
    options.quantum = 0;
    options.chunks_shown = 8;  // so that a loot has more chunks than there are workers
    options.protocol.prefetch_below = static_cast<std::uint32_t>(std::max(1, workers / 2));
    options.costs.task = 1'000'000;
    options.interference = &stocks;
    Simulation(tree, options).run({root_of(20'000)});
    const auto below = options.protocol.prefetch_below;
    // Less than four times that, and the loot of one prefetch, merged.
    EXPECT_GE(stocks.most, 4 * below);
    EXPECT_LE(stocks.most, 4 * below - 1 + static_cast<std::uint32_t>(workers));
  }
}

// Where a steal is one chunk of k tasks.
TEST(Simulation, AChunkHasTheTasksOfItsShare) {
  struct MostTasks final : Observer {
    void handle_sent(Nanoseconds /*now*/, const Envelope& envelope) override {
      ASSERT_LE(envelope.chunks.size(), 1U);
      most = std::max(most, envelope.tasks);
    }
    std::uint64_t most = 0;
  };
  const RandomTree function;
  const Tree tree(function);
  const RandomTree::Task root = root_of(10'000);
  for (const std::uint32_t k : {1U, 3U}) {
    MostTasks sent;
    SimulationOptions options;
    options.nodes = 4;
    options.protocol.steal_half = false;
    options.share = Share::tasks(k);
    options.observers = {&sent};
    Simulation(tree, options).run({root});
    EXPECT_EQ(sent.most, k);
  }
}

// Tasks with so many leaves.
struct Brushes {
  using Task = std::uint32_t;
  using Result = std::uint64_t;
  void operator()(Task leaves, Spawn<Task>& spawn, Result& done) const {
    ++done;
    for (std::uint32_t i = 0; i < leaves; ++i) spawn(0);
  }
  static void reduce(Result& into, Result&& from) { into += from; }
};

// Of 16 tasks it shows eight, and four, before the first has its leaves; the other node asks within
// the time of those of four.
TEST(Simulation, ChunksAreMadeAnewOfABagThatHasOutgrownThem) {
  struct FirstLoot final : Observer {
    void handle_sent(Nanoseconds /*now*/, const Envelope& envelope) override {
      if (tasks == 0) tasks = envelope.tasks;
    }
    std::uint64_t tasks = 0;
  } loot;
  const Brushes function;
  const TaskProblem<Brushes> brushes(function);
  SimulationOptions options;
  options.nodes = 2;
  options.workers = 1;
  options.quantum = 0;
  options.costs.task = 1'000;
  options.observers = {&loot};
  const auto outcome = Simulation(brushes, options).run(TaskStack<Brushes::Task>(16, 100));
  EXPECT_EQ(outcome.result, 16U * 101);
  EXPECT_GT(loot.tasks, 50U);
}

}  // namespace
}  // namespace belay::sim
