// Tasks whose lengths were measured, such as the sources of betweenness centrality on a graph: a
// bag is an interval of them, or several. Of a task that is under way the rest is done first, by
// the same worker; a thief gets others.
//
// To the simulator, whose tasks are all of one length, a task here is many: one for each `unit`
// that it lasts, rounded, so that a long one can be left in the middle as bc leaves its searches.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/interval_bag.hpp"
#include "belay/core/packing.hpp"
#include "belay/core/quantum.hpp"
#include "belay/core/share.hpp"

namespace bench {

// A belay::Problem.
class MeasuredTasks {
 public:
  struct Bag {
    apps::IntervalBag tasks;
    std::uint64_t done = 0;  // units of the first task

    [[nodiscard]] std::size_t size() const noexcept { return tasks.size(); }
    void pack(belay::Packer& packer) const { tasks.pack(packer); }
    [[nodiscard]] static Bag unpack(belay::Unpacker& unpacker) {
      return {apps::IntervalBag::unpack(unpacker), 0};
    }
  };
  using Result = std::uint64_t;  // units

  // Both in the same unit of time, unit > 0.
  MeasuredTasks(const std::vector<double>& lengths, double unit) {
    units_.reserve(lengths.size());
    for (const double length : lengths) {
      units_.push_back(static_cast<std::uint64_t>(std::max(1.0, std::round(length / unit))));
    }
  }

  // An equal number of tasks for each rank, as bc begins.
  [[nodiscard]] Bag part(int rank, int ranks) const {
    return {apps::IntervalBag(apps::part_of_rank(units_.size(), rank, ranks)), 0};
  }

  [[nodiscard]] Bag empty_bag() const { return {}; }
  [[nodiscard]] Result identity() const { return 0; }

  void process(Bag& bag, Result& units, belay::Quantum& quantum) const {
    while (bag.size() > 0) {
      const std::uint64_t length = units_[bag.tasks.first()];
      const std::uint32_t count = quantum.take(length - bag.done);
      if (count == 0) return;
      units += count;
      bag.done += count;
      if (bag.done == length) {
        bag.tasks.drop_first();
        bag.done = 0;
      }
    }
  }

  // How many units, up to `wanted`, the bag has for certain.
  [[nodiscard]] std::uint64_t foresee(const Bag& bag, std::uint64_t wanted) const {
    const std::uint64_t first = units_[bag.tasks.first()] - bag.done;
    return std::min<std::uint64_t>(wanted, first + bag.size() - 1);
  }

  // Of the last task all that is left.
  [[nodiscard]] std::uint64_t indivisible_tasks(const Bag& bag) const {
    return bag.size() == 1 ? units_[bag.tasks.first()] - bag.done : 0;
  }

  [[nodiscard]] Bag split(Bag& bag, belay::Share share) const {
    return {bag.tasks.split(share.of(bag.size())), 0};
  }
  void merge(Bag& into, Bag&& from) const { into.tasks.merge(from.tasks); }
  static void reduce(Result& into, Result&& from) { into += from; }

 private:
  std::vector<std::uint64_t> units_;  // of each task, at least 1
};

// Lengths from a file of numbers in ns, with white space between. Throws std::invalid_argument with
// the file's name.
[[nodiscard]] std::vector<double> read_lengths(const std::string& file);

}  // namespace bench
