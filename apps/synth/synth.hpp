// Independent tasks whose lengths follow a law: what balancing costs for tasks of a given length,
// and how well it copes with few long ones among many short ones.
//
// A task is an index, whose length follows from it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "apps/common/interval_bag.hpp"
#include "apps/common/work.hpp"
#include "apps/synth/lengths.hpp"
#include "belay/core/packing.hpp"
#include "belay/core/quantum.hpp"
#include "belay/core/share.hpp"

namespace apps {

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
      const std::uint64_t ns = lengths_.ns(bag.first());
      bag.drop_first();
      work_off(work_, std::chrono::nanoseconds(ns));
      ++result.tasks;
      result.length_ns += ns;
    }
  }

  [[nodiscard]] Bag split(Bag& bag, belay::Share share) const {
    return bag.split(share.of(bag.size()));
  }
  void merge(Bag& into, Bag&& from) const { into.merge(from); }

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
