// EventQueue: what happens next in virtual time. Events of the same instant come in the order
// in which they were scheduled, or in one drawn from a seed; either way a simulation is a
// function of its seed alone.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <tuple>
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
  void schedule(Nanoseconds delay, Event event) {
    const std::uint64_t place = shuffle_ ? shuffle_->next() : 0;
    entries_.push(Entry{now_ + delay, place, next_++, std::move(event)});
  }

  // Takes the earliest event and moves time on to it.
  Event next() {
    Entry entry = entries_.top();
    entries_.pop();
    now_ = entry.time;
    ++processed_;
    return std::move(entry.event);
  }

 private:
  struct Entry {
    Nanoseconds time;
    std::uint64_t place;  // among those of the same instant
    std::uint64_t sequence;
    Event event;
    bool operator<(const Entry& other) const noexcept {
      return std::tuple(time, place, sequence) >
             std::tuple(other.time, other.place, other.sequence);
    }
  };

  std::priority_queue<Entry> entries_;
  std::optional<Rng> shuffle_;
  Nanoseconds now_ = 0;
  std::uint64_t next_ = 0;
  std::uint64_t processed_ = 0;
};

}  // namespace belay::sim
