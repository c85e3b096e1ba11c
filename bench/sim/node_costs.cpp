#include "bench/sim/node_costs.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>

#include "apps/uts/known_trees.hpp"
#include "belay/core/packing.hpp"
#include "belay/core/quantum.hpp"
#include "belay/core/share.hpp"
#include "belay/intra/clock.hpp"
#include "belay/intra/doorbell.hpp"
#include "belay/intra/node_shared.hpp"
#include "bench/median.hpp"

namespace bench {

namespace {

using Bag = apps::UtsProblem::Bag;
using Deque = belay::ChaseLevDeque<belay::Chunk<Bag>>;

double ns_since(std::int64_t start_ns) { return static_cast<double>(belay::now_ns() - start_ns); }

Bag half_of(const UtsExample& uts, std::size_t example) {
  Bag bag = uts.bags[example % uts.bags.size()];
  return uts.problem.split(bag, belay::Share::half());
}

}  // namespace

UtsExample::UtsExample() : problem(apps::find_known_tree("T1")->parameters) {
  constexpr std::uint32_t kBetween = 10'000;  // tasks; T1 has 824953
  const std::atomic<bool> nobody_waits{false};
  Bag bag = problem.root_bag();
  for (auto result = problem.identity(); !bag.empty();) {
    belay::Quantum quantum(nobody_waits, kBetween);
    problem.process(bag, result, quantum);
    if (bag.size() > 1) bags.push_back(bag);
  }
}

double uts_node_ns(const UtsExample& uts, int rounds) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    const std::int64_t start_ns = belay::now_ns();
    const apps::UtsResult result = count_sequentially(uts.problem);
    times.push_back(ns_since(start_ns) / static_cast<double>(result.nodes));
  }
  return median(times);
}

// Each time includes one reading of the clock, and so does a worker's.
double publish_ns(const UtsExample& uts, int rounds) {
  belay::NodeShared<apps::UtsProblem> node(uts.problem, {.workers = 2, .has_other_nodes = true});
  Deque::Owner deque(node.posts.front().deque);
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    for (const Bag& example : uts.bags) {
      Bag bag = example;
      const std::int64_t start_ns = belay::now_ns();
      deque.push(belay::make_chunk(uts.problem.split(bag, node.options.share)));
      node.chunk_appeared();
      times.push_back(ns_since(start_ns));
      belay::open_chunk<Bag>(deque.take());
    }
  }
  return median(times);
}

// The same is true of the clock here.
double local_steal_ns(const UtsExample& uts, int rounds) {
  belay::NodeShared<apps::UtsProblem> node(uts.problem, {.workers = 2, .has_other_nodes = true});
  const auto steals = static_cast<std::size_t>(rounds) * uts.bags.size();
  std::atomic<std::size_t> shown{0};
  std::atomic<std::size_t> stolen{0};
  std::thread owner([&] {
    Deque::Owner deque(node.posts.front().deque);
    for (std::size_t i = 0; i < steals; ++i) {
      deque.push(belay::make_chunk(half_of(uts, i)));
      shown = i + 1;
      while (stolen <= i) std::this_thread::yield();
    }
  });
  Deque::Thief thief(node.posts.front().deque);
  Bag bag;
  std::vector<double> times;
  for (std::size_t i = 0; i < steals; ++i) {
    while (shown <= i) std::this_thread::yield();
    const std::int64_t start_ns = belay::now_ns();
    belay::Chunk<Bag>* chunk = nullptr;
    while (thief.steal(chunk) != belay::Steal::got) {
    }
    bag = belay::open_chunk<Bag>(chunk);
    for (const apps::Node& task : bag) benchmark::DoNotOptimize(task.depth);
    times.push_back(ns_since(start_ns));
    stolen = i + 1;
  }
  owner.join();
  return median(times);
}

double wake_up_ns(const belay::Cores& cores, int threads, int rounds) {
  constexpr int kRings = 100;                // per round
  constexpr std::int64_t kBusyNs = 100'000;  // in which the other falls asleep
  const int places = std::max(threads, std::min(2, cores.count()));
  // Where the system refuses it places the threads itself, as in a run.
  const auto sit = [&](int place) { static_cast<void>(cores.bind(place, places)); };
  belay::Doorbell bell;
  std::atomic<std::int64_t> rung_ns{0};
  std::atomic<int> woken{0};
  std::vector<double> times;
  const int rings = rounds * kRings;
  std::thread sleeper([&] {
    sit(places - 1);
    for (int i = 0; i < rings; ++i) {
      bell.wait_for(std::nullopt);
      times.push_back(ns_since(rung_ns));
      woken = i + 1;
    }
  });
  std::thread ringer([&] {
    sit(0);
    for (int i = 0; i < rings; ++i) {
      const std::int64_t until_ns = belay::now_ns() + kBusyNs;
      while (belay::now_ns() < until_ns) {
      }
      rung_ns = belay::now_ns();
      bell.ring();
      while (woken <= i) {
      }
    }
  });
  sleeper.join();
  ringer.join();
  return median(times);
}

double task_bytes(const UtsExample& uts) {
  belay::Packer packer;
  std::size_t tasks = 0;
  for (const Bag& bag : uts.bags) {
    uts.problem.pack(bag, packer);
    tasks += bag.size();
  }
  return static_cast<double>(packer.size()) / static_cast<double>(tasks);
}

}  // namespace bench
