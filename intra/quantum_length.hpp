// QuantumLength: how many tasks a worker's next quantum has, how many make a bag worth splitting,
// and how many are few.
//
// Fixed by the parameter n, or adaptive: it starts at one task, at most doubles, and aims at a
// time. A worker whose deque shows less than it should comes back soon to publish; one whose
// deque shows enough has no reason to, since whoever wants it raises its flag and ends the
// quantum at the next task boundary. Half of a few short tasks is done sooner than it is passed
// on, so a bag that has no more is left whole, unless somebody asks. One worker's own.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "belay/core/thresholds.hpp"

namespace belay {

class QuantumLength {
 public:
  static constexpr std::uint32_t kMost = 1U << 20U;

  // fixed: tasks per quantum, 0: adaptive.
  explicit QuantumLength(std::uint32_t fixed) noexcept
      : adaptive_(fixed == 0), tasks_(adaptive_ ? 1 : fixed) {}

  [[nodiscard]] bool adaptive() const noexcept { return adaptive_; }
  // Was a task of the last quantum, on average, as long as the longest quantum should be?
  [[nodiscard]] bool coarse() const noexcept { return coarse_; }
  [[nodiscard]] std::uint32_t tasks() const noexcept { return tasks_; }
  // Is a bag of so many tasks? Any of two is until their length is known.
  [[nodiscard]] bool worth_splitting(std::size_t tasks) const noexcept {
    return tasks >= fewest_worth_;
  }
  // So many tasks for a worker are few.
  [[nodiscard]] std::uint64_t few() const noexcept { return few_; }

  // The last quantum ran `tasks` tasks in `time`; enough: the deque shows what it should.
  void learn(std::uint32_t tasks, std::chrono::nanoseconds time, bool enough) noexcept {
    if (tasks == 0) return;
    const auto per_task = std::max<std::int64_t>(1, time.count() / tasks);
    // Long tasks among short ones are remembered for some quanta: while one runs, the others are
    // to be where somebody can take them.
    longest_ns_ = std::max(per_task, longest_ns_ / 2);
    few_ = static_cast<std::uint64_t>(
        std::clamp<std::int64_t>(kLongQuantumNs / longest_ns_, 1, kFewTasks));
    if (!adaptive_) return;
    const std::int64_t aim_ns = enough ? kLongQuantumNs : kShortQuantumNs;
    coarse_ = per_task >= kLongQuantumNs;
    const auto most = std::min<std::int64_t>(std::int64_t{2} * tasks_, kMost);
    tasks_ = static_cast<std::uint32_t>(std::clamp<std::int64_t>(aim_ns / per_task, 1, most));
    fewest_worth_ = static_cast<std::size_t>(
        std::clamp<std::int64_t>(kMuchWorkNs / longest_ns_, kFewest, kManyTasks));
  }

 private:
  static constexpr std::int64_t kFewest = 2;  // that can be split

  bool adaptive_;
  bool coarse_ = false;
  std::uint32_t tasks_;
  std::int64_t longest_ns_ = 0;  // mean task of a quantum, halved with each quantum since
  std::size_t fewest_worth_ = kFewest;
  std::uint64_t few_ = 1;
};

}  // namespace belay
