// EventQueue: what happens next in virtual time. Events of the same instant come in the order
// in which they were scheduled, or in one drawn from a seed; either way a simulation is a
// function of its seed alone.
//
// A heap of arity four: millions of entries stay shallow, and the children of one entry lie
// together. A binary one (std::priority_queue) takes half as long again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "belay/core/rng.hpp"

namespace belay::sim {

using Nanoseconds = std::int64_t;  // of virtual time

template <class Event>
class EventQueue {
 public:
  EventQueue() = default;
  // Events of the same instant come in random order.
  explicit EventQueue(const Rng& shuffle) : shuffle_(shuffle) {}

  [[nodiscard]] Nanoseconds now() const noexcept { return now_; }
  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  [[nodiscard]] std::uint64_t processed() const noexcept { return processed_; }

  // delay >= 0, from now.
  void schedule(Nanoseconds delay, const Event& event) {
    const std::uint64_t place = shuffle_ ? shuffle_->next() : next_++;
    entries_.emplace_back();
    rise(entries_.size() - 1, Entry{now_ + delay, place, event});
  }

  // Takes the earliest event and moves time on to it.
  Event next() {
    const Entry first = entries_.front();
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sink(last);
    now_ = first.time;
    ++processed_;
    return first.event;
  }

 private:
  static constexpr std::size_t kArity = 4;

  struct Entry {
    Nanoseconds time;
    std::uint64_t place;  // among those of the same instant
    Event event;
    [[nodiscard]] bool before(const Entry& other) const noexcept {
      return time != other.time ? time < other.time : place < other.place;
    }
  };

  // Puts the entry where it belongs on the way from the hole at `at` to the top.
  void rise(std::size_t at, const Entry& entry) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / kArity;
      if (!entry.before(entries_[parent])) break;
      entries_[at] = entries_[parent];
      at = parent;
    }
    entries_[at] = entry;
  }

  // Puts the entry where it belongs on the way down from a hole at the top.
  void sink(const Entry& entry) {
    std::size_t at = 0;
    while (true) {
      const std::size_t first = kArity * at + 1;
      if (first >= entries_.size()) break;
      const std::size_t end = std::min(first + kArity, entries_.size());
      std::size_t least = first;
      for (std::size_t i = first + 1; i < end; ++i) {
        if (entries_[i].before(entries_[least])) least = i;
      }
      if (!entries_[least].before(entry)) break;
      entries_[at] = entries_[least];
      at = least;
    }
    entries_[at] = entry;
  }

  std::vector<Entry> entries_;
  std::optional<Rng> shuffle_;
  Nanoseconds now_ = 0;
  std::uint64_t next_ = 0;
  std::uint64_t processed_ = 0;
};

}  // namespace belay::sim
