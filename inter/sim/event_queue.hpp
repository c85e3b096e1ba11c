// EventQueue: what happens next in virtual time. Events of the same instant come in the order
// in which they were scheduled, so a simulation is a function of its seed alone.
#pragma once

#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

namespace belay::sim {

using Nanoseconds = std::int64_t;  // of virtual time

template <class Event>
class EventQueue {
 public:
  [[nodiscard]] Nanoseconds now() const noexcept { return now_; }
  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  [[nodiscard]] std::uint64_t processed() const noexcept { return processed_; }

  // delay >= 0, from now.
  void schedule(Nanoseconds delay, Event event) {
    entries_.push(Entry{now_ + delay, next_++, std::move(event)});
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
    std::uint64_t sequence;
    Event event;
    bool operator<(const Entry& other) const noexcept {
      return std::pair(time, sequence) > std::pair(other.time, other.sequence);
    }
  };

  std::priority_queue<Entry> entries_;
  Nanoseconds now_ = 0;
  std::uint64_t next_ = 0;
  std::uint64_t processed_ = 0;
};

}  // namespace belay::sim
