// EventQueue: what happens next in virtual time. Events of the same instant come in the order
// in which they were scheduled, or in one drawn from a seed; either way a simulation is a
// function of its seed alone.
//
// A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990), since time never runs back: an entry is in
// the bucket of the highest bit in which its time differs from now, so that all of a bucket are
// earlier than all of the next one. When nothing is left of this instant, the first bucket with
// entries is dealt out again. All is read and written from end to end, which an ordinary heap of
// many nodes' entries is not: with one, simulations of 256 x 12 take 1.3 times as long.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "belay/core/rng.hpp"

namespace belay::sim {

using Nanoseconds = std::int64_t;  // of virtual time

template <class Event>
class EventQueue {
 public:
  // So far from the last instant that fits that a time and a few delays can be added.
  static constexpr Nanoseconds kLatest = Nanoseconds{1} << 62U;

  EventQueue() = default;
  // Events of the same instant come in random order.
  explicit EventQueue(const Rng& shuffle) : shuffle_(shuffle) {}

  [[nodiscard]] Nanoseconds now() const noexcept { return now_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::uint64_t processed() const noexcept { return processed_; }

  // delay >= 0, from now. Throws std::overflow_error if that is later than kLatest, or if the delay
  // is negative, having overflowed itself.
  void schedule(Nanoseconds delay, const Event& event) {
    if (static_cast<std::uint64_t>(delay) > static_cast<std::uint64_t>(kLatest - now_)) {
      throw std::overflow_error("virtual time runs past 2^62 ns, which are 146 years");
    }
    put({now_ + delay, event});
    ++size_;
  }

  // Takes the earliest event, of which there must be one, and moves time on to it.
  Event next() {
    auto& due = buckets_.front();
    if (taken_ == due.size()) deal_out();
    if (shuffle_) {
      const auto left = static_cast<std::uint32_t>(due.size() - taken_);
      std::swap(due[taken_], due[taken_ + shuffle_->below(left)]);
    }
    --size_;
    ++processed_;
    return due[taken_++].event;
  }

 private:
  struct Entry {
    Nanoseconds time;
    Event event;
  };
  using Bucket = std::vector<Entry>;
  static constexpr std::size_t kKept = 4096;  // entries for which an empty bucket keeps memory

  void put(const Entry& entry) {
    const auto difference = static_cast<std::uint64_t>(entry.time ^ now_);
    buckets_[static_cast<std::size_t>(std::bit_width(difference))].push_back(entry);
  }

  static void empty_out(Bucket& bucket) {
    bucket.clear();
    if (bucket.capacity() > kKept) bucket.shrink_to_fit();
  }

  void deal_out() {
    empty_out(buckets_.front());
    taken_ = 0;
    auto& bucket = *std::ranges::find_if_not(buckets_, &Bucket::empty);
    now_ = std::ranges::min(bucket, {}, &Entry::time).time;
    for (const Entry& entry : bucket) put(entry);
    empty_out(bucket);
  }

  std::array<Bucket, 64> buckets_;  // of this instant, then by highest differing bit
  std::size_t taken_ = 0;           // of the first
  std::size_t size_ = 0;
  std::optional<Rng> shuffle_;
  Nanoseconds now_ = 0;
  std::uint64_t processed_ = 0;
};

}  // namespace belay::sim
