// RandomTree: the work of simulated clusters in tests. A task has an identity, and the result
// of a run is the list of the tasks that were done, so that each can be looked for.
//
// Below a task is a random bush; or it is a link of a chain, which keeps one worker busy with
// nothing to share while all others run dry, and now and then sprouts a bush.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "belay/core/rng.hpp"
#include "belay/core/task_problem.hpp"

namespace belay::sim {

struct RandomTree {
  struct Task {
    std::uint64_t seed;  // of its subtree, and its identity: 64 random bits
    int depth;           // levels below it
    int links = 0;       // of the chain below it
  };
  using Result = std::vector<std::uint64_t>;

  void operator()(Task task, Spawn<Task>& spawn, Result& done) const {
    done.push_back(task.seed);
    if (task.depth == 0 && task.links == 0) return;
    Rng rng(task.seed);
    const bool sprouts = task.links == 0 || rng.below(32) == 0;
    const std::uint32_t children = sprouts && task.depth > 0 ? rng.below(4) : 0;
    for (std::uint32_t i = 0; i < children; ++i) spawn(Task{rng.next(), task.depth - 1});
    if (task.links > 0) spawn(Task{rng.next(), task.depth, task.links - 1});
  }
  static void reduce(Result& into, Result&& from) {
    into.insert(into.end(), from.begin(), from.end());
  }
};

using Tree = TaskProblem<RandomTree>;

// The tasks at and below `roots`, or no more than `most` + 1 of them.
inline std::vector<std::uint64_t> tasks_of(TaskStack<RandomTree::Task> roots, std::size_t most) {
  const RandomTree tree;
  Spawn<RandomTree::Task> spawn(roots);
  std::vector<std::uint64_t> done;
  while (!roots.empty() && done.size() <= most) {
    const auto task = roots.back();
    roots.pop_back();
    tree(task, spawn, done);
  }
  return done;
}

}  // namespace belay::sim
