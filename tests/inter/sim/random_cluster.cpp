#include "tests/inter/sim/random_cluster.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "belay/core/rng.hpp"
#include "belay/inter/sim/checks/all_checks.hpp"
#include "belay/inter/sim/checks/every_task_once.hpp"
#include "belay/inter/sim/event_log.hpp"
#include "belay/inter/sim/simulation.hpp"

namespace belay::sim {

namespace {

constexpr std::size_t kMostTasks = 20'000;

class Dice {
 public:
  Dice(std::uint64_t seed, std::uint64_t stream) : rng_(seed, stream) {}

  std::uint64_t next() { return rng_.next(); }
  int below(int bound) { return static_cast<int>(rng_.below(static_cast<std::uint32_t>(bound))); }
  Nanoseconds up_to(Nanoseconds most) {
    return static_cast<Nanoseconds>(rng_.next() % (static_cast<std::uint64_t>(most) + 1));
  }
  int one_of(std::initializer_list<int> values) {
    return values.begin()[below(static_cast<int>(values.size()))];
  }
  bool one_in(int count) { return below(count) == 0; }

 private:
  Rng rng_;
};

// Small clusters mostly, since they meet the most cases in the least time.
int draw_nodes(Dice& dice) {
  static constexpr std::array kPrimes = {2,  3,  5,  7,  11, 13,  17,  19,  23,  29,  31,
                                         37, 43, 53, 61, 97, 101, 127, 151, 181, 197, 199};
  const int kind = dice.below(64);
  if (kind < 44) return 1 + dice.below(9);
  if (kind < 56) return 1 + dice.below(40);
  if (kind < 60)
    return kPrimes.at(static_cast<std::size_t>(dice.below(static_cast<int>(kPrimes.size()))));
  if (kind < 63) return 1 + dice.below(100);
  return 1 + dice.below(200);
}

void draw_protocol(Dice& dice, SimulationOptions& options) {
  options.workers = 1 + dice.below(4);
  options.quantum = dice.one_in(3) ? 0 : 1U << static_cast<unsigned>(dice.below(8));
  options.chunks_shown = static_cast<std::size_t>(1 + dice.below(3));
  options.lost_gives = dice.one_in(3) ? static_cast<std::uint32_t>(dice.below(12)) : 0;
  options.protocol.random_steals = dice.below(4);
  options.protocol.lifelines = 1 + dice.below(6);
  if (dice.one_in(4)) {
    options.protocol.policy = dice.one_in(2) ? PolicyKind::random : PolicyKind::ring;
    options.protocol.random_steals = std::max(options.protocol.random_steals, 1);
  }
  options.protocol.steal_half = !dice.one_in(4);
  if (!options.protocol.steal_half) options.share = Share::tasks(1);
  options.protocol.prefetch = dice.one_in(4)   ? Prefetch::off
                              : dice.one_in(3) ? Prefetch::ring
                                               : Prefetch::random;
  options.protocol.prefetch_below = static_cast<std::uint32_t>(1 + dice.below(3));
}

void draw_costs(Dice& dice, SimulationOptions& options) {
  Costs& costs = options.costs;
  // From tasks that end before anybody can ask for them to some that outlast many messages.
  costs.task = 1 + dice.below(dice.one_of({200, 2'000, 20'000, 100'000}));
  costs.wake_up = dice.below(20'000);
  costs.spin = dice.one_in(2) ? 0 : dice.below(30'000);
  costs.look = dice.below(5'000);
  costs.service = dice.below(dice.one_of({1, 2'000}));
  costs.shares_cores = dice.one_in(2);
  costs.pick_up = 1 + dice.below(dice.one_of({500, 20'000, 200'000}));
  costs.idle_pick_up = 1 + dice.below(dice.one_of({500, 20'000}));
  costs.latency_min = 1 + dice.below(5'000);
  costs.latency_max = costs.latency_min + dice.below(dice.one_of({1, 5'000, 200'000}));
  costs.task_bytes = dice.one_in(3) ? 500'000 : 24;
  if (dice.one_in(3)) costs.one_straggler_in = static_cast<std::uint32_t>(2 + dice.below(20));
  if (dice.one_in(4)) {
    costs.held_up_share = 0.2;
    costs.held_up = dice.below(500'000);
  }
  costs.pairs_in_order = !dice.one_in(4);
  // Many things at once: one in three on a grid that is coarse beside the delays.
  options.shuffle_instants = !dice.one_in(4);
  if (dice.one_in(3)) costs.grid = 1 + dice.below(dice.one_in(2) ? 1'000 : 100'000);
  if (dice.one_in(3)) {
    for (int rank = 0; rank < options.nodes; ++rank) {
      options.slowness.push_back(dice.one_in(4) ? static_cast<std::uint32_t>(2 + dice.below(40))
                                                : 1U);
    }
  }
}

// A chain, or a tree. Half of all random trees end soon; those that do are mostly drawn again.
RandomTree::Task draw_root(Dice& dice) {
  if (dice.one_in(5)) return {dice.next(), dice.below(6), 1 + dice.below(dice.one_of({10, 300}))};
  constexpr int kAttempts = 10;
  const auto wanted = static_cast<std::size_t>(dice.below(200));
  RandomTree::Task root{};
  for (int i = 0; i < kAttempts; ++i) {
    root = {dice.next(), 3 + dice.below(22), 0};
    if (tasks_of({root}, wanted).size() > wanted) break;
  }
  return root;
}

Tree::Bag draw_leaves(Dice& dice, int count) {
  Tree::Bag bag;
  for (int i = 0; i < count; ++i) bag.push_back({dice.next(), 0, 0});
  return bag;
}

// At the root, at one other rank, on each rank, as much on each, or nowhere.
std::vector<Tree::Bag> draw_work(Dice& dice, int nodes) {
  std::vector<Tree::Bag> bags(static_cast<std::size_t>(nodes));
  const int kind = dice.below(16);
  if (kind < 8) {
    bags[0].push_back(draw_root(dice));
  } else if (kind < 10) {
    bags[static_cast<std::size_t>(dice.below(nodes))].push_back(draw_root(dice));
  } else if (kind < 13) {
    for (Tree::Bag& bag : bags) {
      if (!dice.one_in(4)) bag.push_back(draw_root(dice));
    }
  } else if (kind < 15) {
    const int count = 1 + dice.below(40);
    for (Tree::Bag& bag : bags) bag = draw_leaves(dice, count);
  }
  return bags;
}

std::vector<std::uint64_t> all_tasks(const std::vector<Tree::Bag>& bags, std::size_t most) {
  Tree::Bag roots;
  for (const Tree::Bag& bag : bags) roots.insert(roots.end(), bag.begin(), bag.end());
  return tasks_of(std::move(roots), most);
}

// Cuts the trees down until all together are small enough.
void cut(std::vector<Tree::Bag>& bags, std::size_t most) {
  while (all_tasks(bags, most).size() > most) {
    for (Tree::Bag& bag : bags) {
      for (auto& task : bag) {
        task.depth = std::max(task.depth - 2, 0);
        task.links /= 2;
      }
    }
  }
}

// When: at any moment, around the votes, or when the outcome is known.
Nanoseconds draw_moment(Dice& dice, const SimulationOutcome<RandomTree::Result>& calm) {
  switch (dice.below(4)) {
    case 0:
    case 1:
      return dice.up_to(calm.time);
    case 2:
      return calm.last_task + dice.up_to(calm.decided - std::min(calm.decided, calm.last_task));
    default:
      return calm.decided + dice.up_to(calm.time - calm.decided);
  }
}

void draw_mishaps(Dice& dice, SimulationOptions& options,
                  const SimulationOutcome<RandomTree::Result>& calm) {
  const int count = 1 + dice.below(3);
  for (int i = 0; i < count; ++i) {
    const bool at_once = i > 0 && dice.one_in(2);
    const Nanoseconds time = at_once ? options.mishaps.back().time : draw_moment(dice, calm);
    options.mishaps.push_back({time, dice.below(options.nodes),
                               dice.one_in(2) ? RunOutcome::failed : RunOutcome::stopped});
  }
}

SimulationOutcome<RandomTree::Result> run_checked(const RandomCluster& cluster,
                                                  const EveryTaskOnce& every_task_once,
                                                  EventLog* log) {
  SimulationOptions options = cluster.options;
  if (log != nullptr) options.observers.push_back(log);
  AllChecks checks(options);
  checks.attach_to(options);
  const RandomTree function;
  const Tree tree(function);
  auto outcome = Simulation(tree, options).run_on_each_rank(cluster.initial);
  every_task_once.check(outcome.outcome, outcome.result);
  BELAY_CHECK(outcome.tasks == outcome.result.size(), outcome.tasks, outcome.result.size());
  BELAY_CHECK(outcome.outcome != RunOutcome::success || outcome.tasks_left == 0,
              outcome.tasks_left);
  BELAY_CHECK(outcome.outcome == RunOutcome::success || !options.mishaps.empty());
  return outcome;
}

std::uint64_t run_twice(std::uint64_t seed, EventLog* log) {
  RandomCluster cluster(seed);
  const EveryTaskOnce every_task_once(all_tasks(cluster.initial, kMostTasks));
  const auto calm = run_checked(cluster, every_task_once, log);
  Dice dice(seed, 1);
  if (dice.one_in(3)) return calm.events;
  draw_mishaps(dice, cluster.options, calm);
  return calm.events + run_checked(cluster, every_task_once, log).events;
}

}  // namespace

RandomCluster::RandomCluster(std::uint64_t seed) {
  Dice dice(seed, 0);
  options.seed = seed;
  options.nodes = draw_nodes(dice);
  options.most_events = 5'000'000;
  draw_protocol(dice, options);
  draw_costs(dice, options);
  initial = draw_work(dice, options.nodes);
  if (dice.one_in(2)) options.many_tasks = kMostTasks;
  if (dice.one_in(2)) options.much_work = 1'000'000'000;
  options.few_tasks = static_cast<std::uint32_t>(dice.one_of({0, 2, 40, 1'000}));
  cut(initial, std::min(kMostTasks, std::size_t{300} * initial.size()));
}

std::uint64_t check_seed(std::uint64_t seed, std::ostream* log) {
  std::optional<EventLog> events;
  if (log != nullptr) events.emplace(*log, true);
  try {
    return run_twice(seed, events ? &*events : nullptr);
  } catch (const std::logic_error& error) {
    throw std::logic_error("seed " + std::to_string(seed) + ": " + error.what());
  }
}

}  // namespace belay::sim
