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
      : options_(&options), task_(options.costs.task * slowness) {}

  // The time that so many tasks take.
  [[nodiscard]] Nanoseconds span(std::uint64_t tasks) const {
    return static_cast<Nanoseconds>(tasks) * task_;
  }
  // At least one.
  [[nodiscard]] std::uint64_t tasks_in(Nanoseconds time) const {
    return static_cast<std::uint64_t>(std::max<Nanoseconds>(1, time / task_));
  }
  // After one of this length; enough: the deque shows what it should.
  [[nodiscard]] Nanoseconds next_length(Nanoseconds length, bool enough) const {
    const Nanoseconds aim = enough ? options_->long_quantum : options_->short_quantum;
    return std::min(aim, 2 * std::max(length, task_));
  }
  // A single task fills the longest quantum.
  [[nodiscard]] bool coarse() const {
    return options_->quantum == 0 && task_ >= options_->long_quantum;
  }
  // Chunks that a deque should show: where there is nobody to steal them, none.
  [[nodiscard]] std::size_t shown() const {
    if (options_->nodes == 1 && options_->workers == 1) return 0;
    return coarse() ? std::max(options_->chunks_shown, options_->shown_if_coarse)
                    : options_->chunks_shown;
  }
  [[nodiscard]] bool worth_splitting(std::size_t tasks) const {
    const auto enough =
        std::min<std::uint64_t>(options_->many_tasks, tasks_in(options_->much_work));
    return options_->quantum > 0 || tasks >= enough;
  }
  // So many tasks for a worker are few.
  [[nodiscard]] std::uint64_t few() const {
    return std::min<std::uint64_t>(options_->few_tasks, tasks_in(options_->long_quantum));
  }

 private:
  const SimulationOptions* options_;
  Nanoseconds task_;
};

}  // namespace belay::sim
