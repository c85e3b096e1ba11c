// Small problems for the tests of a node, and the communication thread's part in them.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "belay/core/problem.hpp"
#include "belay/core/rng.hpp"
#include "belay/core/task_problem.hpp"
#include "belay/intra/node.hpp"

namespace belay::test {

// A quantum that ends with its bag.
inline constexpr std::uint32_t kWithoutEnd = std::numeric_limits<std::uint32_t>::max();

// An irregular tree. The sum tells apart a tree in which a node was lost and another one
// visited twice.
struct Tree {
  struct Task {
    std::uint64_t id = 0;
    int height = 0;
  };
  struct Result {
    std::uint64_t nodes = 0;
    std::uint64_t sum = 0;
    friend bool operator==(const Result&, const Result&) = default;
  };

  void operator()(Task task, Spawn<Task>& spawn, Result& result) const {
    Rng rng(task.id);
    ++result.nodes;
    result.sum += rng.next();
    if (task.height == 0) return;
    for (std::uint32_t children = rng.below(5); children > 0; --children) {
      spawn(Task{rng.next(), task.height - 1});
    }
  }
  static void reduce(Result& into, Result&& from) {
    into.nodes += from.nodes;
    into.sum += from.sum;
  }
};

inline Tree::Result visit_sequentially(TaskStack<Tree::Task> tasks) {
  Tree::Result result;
  Spawn<Tree::Task> spawn(tasks);
  while (!tasks.empty()) {
    const Tree::Task task = tasks.back();
    tasks.pop_back();
    Tree{}(task, spawn, result);
  }
  return result;
}

// A problem whose every step a test may fill: the hooks are called at the beginning of what
// they are named after. The result is the number of tasks.
struct Scripted {
  using Bag = std::vector<int>;
  using Result = long;
  struct Local {};

  std::function<void()> on_empty_bag = [] {};
  std::function<void()> on_identity = [] {};
  std::function<void()> on_make_local = [] {};
  std::function<void()> on_split = [] {};
  std::function<void()> on_merge = [] {};
  // Runs one task; may add some to the bag.
  std::function<void(int, Bag&)> on_task = [](int, Bag&) {};

  [[nodiscard]] Bag empty_bag() const {
    on_empty_bag();
    return {};
  }
  [[nodiscard]] long identity() const {
    on_identity();
    return 0;
  }
  [[nodiscard]] Local make_local() const {
    on_make_local();
    return {};
  }
  void process(Bag& bag, Local& /*local*/, long& result, Quantum& quantum) const {
    while (!bag.empty() && quantum.take()) {
      const int task = bag.back();
      bag.pop_back();
      on_task(task, bag);
      ++result;
    }
  }
  [[nodiscard]] Bag split(Bag& bag, Share share) const {
    on_split();
    return split_stack(bag, share);
  }
  void merge(Bag& into, Bag&& from) const {
    on_merge();
    into.insert(into.end(), from.begin(), from.end());
  }
  void pack(const Bag& bag, Packer& packer) const { packer.put_all(std::span<const int>(bag)); }
  [[nodiscard]] Bag unpack(Unpacker& unpacker) const { return unpacker.get_all<int>(); }
  static void reduce(long& into, long&& from) { into += from; }
};

// Where tasks stop until the test lets them go on, one by one.
class Gate {
 public:
  // For tasks: waits until so many have been let through.
  void pass() {
    std::unique_lock lock(mutex_);
    const int number = ++arrived_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return number <= open_for_; });
  }

  // For the test: waits until `number` tasks have come, in all.
  void await(int number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ >= number; });
  }

  // Lets `number` tasks through, in all.
  void open(int number) {
    const std::lock_guard lock(mutex_);
    open_for_ = number;
    changed_.notify_all();
  }
  void open_for_good() { open(1'000'000'000); }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
  int open_for_ = 0;
};

inline NodeOptions options_for(int workers) {
  NodeOptions options;
  options.workers = workers;
  options.spin = false;
  return options;
}

// The communication thread's post first, then the others, cyclic.
inline std::vector<std::size_t> robbing_order(int worker, int workers) {
  std::vector<std::size_t> order;
  for (int i = workers; i > 0; --i) {
    order.push_back(static_cast<std::size_t>((worker + i) % (workers + 1)));
  }
  return order;
}

template <Problem P>
void start(Node<P>& node, int workers) {
  node.start([](int) {}, [workers](int worker) { return robbing_order(worker, workers); });
}

template <Problem P>
void put(Node<P>& node, typename P::Bag bag) {
  std::vector<typename P::Bag> bags;
  bags.push_back(std::move(bag));
  node.put(std::move(bags));
}

template <Problem P>
void await_idle(Node<P>& node) {
  while (!node.idle()) node.doorbell().wait_for(std::nullopt);
}

template <Problem P>
std::string await_failure(Node<P>& node) {
  while (!node.failure()) node.doorbell().wait_for(std::nullopt);
  return *node.failure();
}

// Waits until nothing is left and returns the result.
template <Problem P>
typename P::Result finish(Node<P>& node) {
  await_idle(node);
  EXPECT_EQ(node.failure(), std::nullopt);
  node.end();
  node.join();
  return node.result();
}

template <class P>
WorkerStatistics sum_of(Node<P>& node) {
  RankStatistics rank;
  node.add_statistics(now_ns(), rank);
  WorkerStatistics sum;
  for (const auto& worker : rank.workers) {
    sum.tasks += worker.tasks;
    sum.quanta += worker.quanta;
    sum.chunks_published += worker.chunks_published;
    sum.chunks_taken_back += worker.chunks_taken_back;
    sum.chunks_stolen += worker.chunks_stolen;
    sum.steals_lost += worker.steals_lost;
    sum.waits += worker.waits;
    sum.sleeps += worker.sleeps;
  }
  return sum;
}

}  // namespace belay::test
