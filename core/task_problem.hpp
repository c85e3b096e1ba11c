// TaskProblem: the short form. Adapts "a task type and what to do with one task" to Problem.
//
// The bag is a stack. Tasks run newest first, so it stays as small as a depth-first search
// keeps it and is sorted by depth, shallowest first. A thief gets every other task, counted
// from the oldest: half at every depth, without storing depths. (Simulated on a geometric
// tree, half at every depth loses 1.1 ms of a run, the shallowest half 16.5, the deepest 117.)
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "belay/core/packing.hpp"
#include "belay/core/problem.hpp"
#include "belay/core/quantum.hpp"
#include "belay/core/scalable_allocator.hpp"
#include "belay/core/share.hpp"

namespace belay {

// The bag of the short form: its newest task is at the back.
template <class Task>
using TaskStack = std::vector<Task, ScalableAllocator<Task>>;

// Handed to a task: spawn(args...) adds a new task to the worker's own bag.
template <class Task>
class Spawn {
 public:
  // The stack has to outlive it.
  explicit Spawn(TaskStack<Task>& tasks) noexcept : tasks_(&tasks) {}

  // The task is made from args, and run by this worker or a thief, in any order.
  template <class... Args>
  requires std::constructible_from<Task, Args...>
  void operator()(Args&&... args) { tasks_->emplace_back(std::forward<Args>(args)...); }

 private:
  TaskStack<Task>* tasks_;
};

// A task that can move between threads and ranks.
template <class T>
concept TaskThatTravels = std::movable<T> && Travels<T>;

// Has void operator()(Task, Spawn<Task>&, Result&) const.
template <class F>
concept RunsTasks = requires(const F& function, typename F::Task task,
                             Spawn<typename F::Task>& spawn, typename F::Result& result) {
  function(std::move(task), spawn, result);
};

// The short form: names Task and Result, runs one task, reduces. Result{} is the identity.
template <class F>
concept TaskFunction = TaskThatTravels<typename F::Task> && ResultThatTravels<typename F::Result> &&
    std::default_initializable<typename F::Result> && RunsTasks<F> && ReducesResults<F>;

// Moves out of `tasks`, counted from the oldest, every other one until `count` have been
// moved; the order of both parts is kept. 2 * count <= tasks.size() + 1.
template <class Task, class Allocator>
std::vector<Task, Allocator> take_every_other(std::vector<Task, Allocator>& tasks,
                                              std::size_t count) {
  std::vector<Task, Allocator> taken;
  taken.reserve(count);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (i % 2 == 0 && taken.size() < count) {
      taken.push_back(std::move(tasks[i]));
    } else {
      if (kept != i) tasks[kept] = std::move(tasks[i]);
      ++kept;
    }
  }
  tasks.erase(std::next(tasks.begin(), static_cast<std::ptrdiff_t>(kept)), tasks.end());
  return taken;
}

// A thief's share of a stack whose oldest tasks come first.
template <class Task, class Allocator>
std::vector<Task, Allocator> split_stack(std::vector<Task, Allocator>& tasks, Share share) {
  const std::size_t count = share.of(tasks.size());
  if (count <= (tasks.size() + 1) / 2) return take_every_other(tasks, count);
  // A fixed number above half: the oldest ones.
  const auto end = std::next(tasks.begin(), static_cast<std::ptrdiff_t>(count));
  std::vector<Task, Allocator> taken(std::make_move_iterator(tasks.begin()),
                                     std::make_move_iterator(end));
  tasks.erase(tasks.begin(), end);
  return taken;
}

// The function as a Problem, for run(); the function has to outlive it.
template <TaskFunction F>
class TaskProblem {
 public:
  using Task = typename F::Task;
  using Bag = TaskStack<Task>;
  using Result = typename F::Result;

  explicit TaskProblem(const F& function) noexcept : function_(&function) {}

  [[nodiscard]] Bag empty_bag() const { return {}; }
  [[nodiscard]] Result identity() const { return {}; }

  void process(Bag& bag, Result& result, Quantum& quantum) const {
    Spawn<Task> spawn(bag);
    while (!bag.empty() && quantum.take()) {
      Task task = std::move(bag.back());
      bag.pop_back();
      (*function_)(std::move(task), spawn, result);
    }
  }

  [[nodiscard]] Bag split(Bag& bag, Share share) const { return split_stack(bag, share); }

  void merge(Bag& into, Bag&& from) const {
    into.insert(into.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
    from.clear();
  }

  void pack(const Bag& bag, Packer& packer) const { packer.put_all(std::span<const Task>(bag)); }
  [[nodiscard]] Bag unpack(Unpacker& unpacker) const {
    return unpacker.get_all<Task, ScalableAllocator<Task>>();
  }

  static void reduce(Result& into, Result&& from) { F::reduce(into, std::move(from)); }

 private:
  const F* function_;
};

}  // namespace belay
