// Quanta: how long quanta are on a simulated node, how much its deques should show, and which bags
// are worth splitting: what intra/quantum_length.hpp learns from tasks, and here is known.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "belay/inter/sim/simulation_options.hpp"

namespace belay::sim {

class Quanta {
 public:
  // slowness: of the node.
  Quanta(const SimulationOptions& options, std::uint32_t slowness)
      : task_(options.costs.task * slowness),
        short_(options.short_quantum),
        long_(options.long_quantum),
        in_short_(tasks_in(short_)),
        in_long_(tasks_in(long_)),
        coarse_(options.quantum == 0 && task_ >= long_),
        enough_(options.quantum > 0
                    ? 0
                    : std::min<std::uint64_t>(options.many_tasks, tasks_in(options.much_work))),
        few_(std::min<std::uint64_t>(options.few_tasks, in_long_)) {
    if (options.nodes == 1 && options.workers == 1) return;
    shown_ =
        coarse_ ? std::max(options.chunks_shown, options.shown_if_coarse) : options.chunks_shown;
  }

  // The time that so many tasks take.
  [[nodiscard]] Nanoseconds span(std::uint64_t tasks) const {
    return static_cast<Nanoseconds>(tasks) * task_;
  }
  // At least one.
  [[nodiscard]] std::uint64_t tasks_in(Nanoseconds time) const {
    return static_cast<std::uint64_t>(std::max<Nanoseconds>(1, time / task_));
  }
  [[nodiscard]] std::uint64_t tasks_in_short() const { return in_short_; }
  [[nodiscard]] std::uint64_t tasks_in_long() const { return in_long_; }
  // After one of this length; enough: the deque shows what it should.
  [[nodiscard]] Nanoseconds next_length(Nanoseconds length, bool enough) const {
    return std::min(enough ? long_ : short_, 2 * std::max(length, task_));
  }
  // A single task fills the longest quantum.
  [[nodiscard]] bool coarse() const { return coarse_; }
  // Chunks that a deque should show: where there is nobody to steal them, none.
  [[nodiscard]] std::size_t shown() const { return shown_; }
  [[nodiscard]] bool worth_splitting(std::uint64_t tasks) const { return tasks >= enough_; }
  // So many tasks for a worker are few.
  [[nodiscard]] std::uint64_t few() const { return few_; }

 private:
  Nanoseconds task_;
  // Quanta's lengths, and the tasks in them: divisions take longer than all else here.
  Nanoseconds short_;
  Nanoseconds long_;
  std::uint64_t in_short_;
  std::uint64_t in_long_;
  bool coarse_;
  std::uint64_t enough_;  // to be worth splitting
  std::uint64_t few_;
  std::size_t shown_ = 0;
};

}  // namespace belay::sim
