// DCFixedPar(n, k, S, t): divide and conquer whose irregularity is a parameter. A nested-parallel
// task makes n subtasks; every k-th of them is nested-parallel itself, the others are sequential
// and take the time S. Below t levels all are sequential. The larger k, the fewer tasks have any
// below them, and the more it matters to steal those.
//
// Source: Janjic and Hammond, Using Load Information in Work-Stealing on Distributed Systems with
// Non-uniform Communication Latencies, Euro-Par 2012, section 3.
#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "apps/common/work.hpp"
#include "belay/core/task_problem.hpp"

namespace apps {

struct DcParResult {
  std::uint64_t tasks = 0;  // of both kinds
  std::uint64_t sequential = 0;

  bool operator==(const DcParResult&) const = default;
};

// A belay::TaskFunction.
struct DcPar {
  using Task = std::uint32_t;  // levels below that a nested-parallel task may fill; sequential: 0
  using Result = DcParResult;

  std::uint32_t n = 1;  // subtasks
  std::uint32_t k = 1;  // every k-th is nested-parallel
  Work work = Work::none;
  std::chrono::nanoseconds size{};  // S

  void operator()(Task levels, belay::Spawn<Task>& spawn, Result& result) const {
    ++result.tasks;
    if (levels == 0) {
      ++result.sequential;
      work_off(work, size);
      return;
    }
    for (std::uint32_t i = 1; i <= n; ++i) spawn(i % k == 0 ? levels - 1 : 0U);
  }

  // What t levels below the root must give. Throws std::invalid_argument if that would be more
  // than 10^15 tasks.
  [[nodiscard]] Result expected(std::uint32_t t) const {
    constexpr std::uint64_t kMaxTasks = 1'000'000'000'000'000;
    std::uint64_t nested = 0;  // above the level
    std::uint64_t tasks = 1;   // down to the level
    std::uint64_t here = 1;    // nested-parallel, on the level
    for (std::uint32_t level = 0; level < t && here > 0; ++level) {
      const bool too_many = here > kMaxTasks / n;  // which need not fit 64 bits
      nested += here;
      tasks += too_many ? 0 : here * n;
      here *= n / k;
      if (too_many || tasks > kMaxTasks) {
        throw std::invalid_argument("n = " + std::to_string(n) + ", k = " + std::to_string(k) +
                                    ", t = " + std::to_string(t) +
                                    ": more than 10^15 tasks, which is the most allowed");
      }
    }
    return {tasks, tasks - nested};
  }

  static void reduce(Result& into, Result&& from) {
    into.tasks += from.tasks;
    into.sequential += from.sequential;
  }
};

}  // namespace apps
