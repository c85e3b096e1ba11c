// Runs tasks of the short form as a worker does that nobody disturbs.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>

#include "belay/core/task_problem.hpp"

namespace apps {

template <class F>
struct Ran {
  typename F::Result result{};
  std::uint32_t tasks = 0;
};

template <belay::TaskFunction F>
Ran<F> run_tasks(const F& function, belay::TaskStack<typename F::Task> bag) {
  const belay::TaskProblem<F> problem(function);
  const std::atomic<bool> nobody_waits{false};
  belay::Quantum quantum(nobody_waits, std::numeric_limits<std::uint32_t>::max());
  Ran<F> ran;
  problem.process(bag, ran.result, quantum);
  ran.tasks = quantum.taken();
  return ran;
}

}  // namespace apps
