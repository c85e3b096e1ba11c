// Independent tasks whose lengths follow a law: what balancing costs for tasks of a given length,
// and how well it copes with few long ones among many short ones.
//
// A bag is a list of intervals of task indices; one interval as a rule, more where loot meets what
// is there. A worker takes from the beginning of the last interval, thieves get the end of the
// first.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "apps/common/work.hpp"
#include "apps/synth/lengths.hpp"
#include "belay/core/packing.hpp"
#include "belay/core/quantum.hpp"
#include "belay/core/share.hpp"

namespace apps {

// The tasks first to last - 1.
struct Interval {
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  [[nodiscard]] std::uint64_t size() const { return last - first; }
};

// Holds no empty interval.
class IntervalBag {
 public:
  IntervalBag() = default;
  explicit IntervalBag(Interval interval) { add(interval); }
  explicit IntervalBag(const std::vector<Interval>& intervals) {
    for (const Interval& interval : intervals) add(interval);
  }

  [[nodiscard]] const std::vector<Interval>& intervals() const { return intervals_; }
  [[nodiscard]] std::size_t size() const { return size_; }

  void add(Interval interval) {
    if (interval.size() == 0) return;
    intervals_.push_back(interval);
    size_ += interval.size();
  }

  // There must be a task.
  [[nodiscard]] std::uint64_t take() {
    Interval& interval = intervals_.back();
    const std::uint64_t task = interval.first++;
    if (interval.size() == 0) intervals_.pop_back();
    --size_;
    return task;
  }

  // So many tasks, fewer than there are.
  [[nodiscard]] IntervalBag split(std::size_t count) {
    IntervalBag given;
    std::size_t whole = 0;  // intervals that are given away as such
    while (count > 0) {
      Interval& interval = intervals_[whole];
      const std::uint64_t part = std::min<std::uint64_t>(count, interval.size());
      interval.last -= part;
      given.add({interval.last, interval.last + part});
      if (interval.size() == 0) ++whole;
      count -= part;
    }
    intervals_.erase(intervals_.begin(), intervals_.begin() + static_cast<std::ptrdiff_t>(whole));
    size_ -= given.size();
    return given;
  }

 private:
  std::vector<Interval> intervals_;
  std::size_t size_ = 0;
};

struct SynthResult {
  std::uint64_t tasks = 0;
  std::uint64_t length_ns = 0;  // of all tasks, as they should be

  bool operator==(const SynthResult&) const = default;
};

// A belay::Problem.
class Synth {
 public:
  using Bag = IntervalBag;
  using Result = SynthResult;

  Synth(const LengthParameters& lengths, Work work) : lengths_(lengths), work_(work) {}

  [[nodiscard]] Bag empty_bag() const { return {}; }
  [[nodiscard]] Result identity() const { return {}; }

  void process(Bag& bag, Result& result, belay::Quantum& quantum) const {
    while (bag.size() > 0 && quantum.take()) {
      const std::uint64_t ns = lengths_.ns(bag.take());
      work_off(work_, std::chrono::nanoseconds(ns));
      ++result.tasks;
      result.length_ns += ns;
    }
  }

  [[nodiscard]] Bag split(Bag& bag, belay::Share share) const {
    return bag.split(share.of(bag.size()));
  }
  void merge(Bag& into, Bag&& from) const {
    for (const Interval& interval : from.intervals()) into.add(interval);
    from = {};
  }

  void pack(const Bag& bag, belay::Packer& packer) const {
    packer.put_all(std::span<const Interval>(bag.intervals()));
  }
  [[nodiscard]] Bag unpack(belay::Unpacker& unpacker) const {
    return Bag(unpacker.get_all<Interval>());
  }

  static void reduce(Result& into, Result&& from) {
    into.tasks += from.tasks;
    into.length_ns += from.length_ns;
  }

  // What so many tasks must give, added up on one thread, without the work.
  [[nodiscard]] Result sum_sequentially(std::uint64_t count) const {
    Result result{.tasks = count};
    for (std::uint64_t i = 0; i < count; ++i) result.length_ns += lengths_.ns(i);
    return result;
  }

 private:
  Lengths lengths_;
  Work work_;
};

}  // namespace apps
