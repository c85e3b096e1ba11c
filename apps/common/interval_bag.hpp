// A bag of tasks that are numbers: a list of intervals, one as a rule, more where loot meets what
// is there.
//
// A worker goes on at the first number, which may be half done; thieves get those at the other end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "belay/core/packing.hpp"

namespace apps {

// The numbers begin to end - 1.
struct Interval {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

// An equal part of the numbers below `count` for each rank.
[[nodiscard]] inline Interval part_of_rank(std::uint64_t count, int rank, int ranks) {
  const auto bound = [&](int number) {
    return count * static_cast<std::uint64_t>(number) / static_cast<std::uint64_t>(ranks);
  };
  return {bound(rank), bound(rank + 1)};
}

class IntervalBag {
 public:
  IntervalBag() = default;
  explicit IntervalBag(Interval interval) { add(interval); }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  // Where the last interval begins. There must be a number.
  [[nodiscard]] std::uint64_t first() const { return intervals_.back().begin; }

  void drop_first() {
    Interval& interval = intervals_.back();
    ++interval.begin;
    if (interval.size() == 0) intervals_.pop_back();
    --size_;
  }

  // `count` numbers far from the first one, fewer than there are.
  [[nodiscard]] IntervalBag split(std::size_t count) {
    IntervalBag given;
    auto from = intervals_.begin();
    while (given.size_ < count) {
      const auto part = std::min<std::uint64_t>(from->size(), count - given.size_);
      from->end -= part;
      given.add({from->end, from->end + part});
      if (from->size() == 0) ++from;
    }
    intervals_.erase(intervals_.begin(), from);
    size_ -= count;
    return given;
  }

  // The first number stays the first, if there is one.
  void merge(const IntervalBag& other) {
    intervals_.insert(intervals_.begin(), other.intervals_.begin(), other.intervals_.end());
    size_ += other.size_;
  }

  void pack(belay::Packer& packer) const { packer.put_all(std::span<const Interval>(intervals_)); }
  [[nodiscard]] static IntervalBag unpack(belay::Unpacker& unpacker) {
    IntervalBag bag;
    for (const Interval& interval : unpacker.get_all<Interval>()) bag.add(interval);
    return bag;
  }

 private:
  void add(Interval interval) {
    if (interval.size() == 0) return;
    intervals_.push_back(interval);
    size_ += interval.size();
  }

  std::vector<Interval> intervals_;  // none is empty
  std::size_t size_ = 0;
};

}  // namespace apps
