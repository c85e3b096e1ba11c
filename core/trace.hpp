// Trace: what each thread did when, event by event, for a picture of a run.
//
// A thread keeps its latest events in a ring of bounded size and counts those that it had to
// drop. Times are in ns by the steady clock of the thread's host; a rank's readings of rank 0's
// clock, at the start and at the end, bring them together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "belay/core/life_story.hpp"

namespace belay {

// A state that a thread was in, or a moment at which it had to do with another thread.
struct TraceEvent {
  // What it is about.
  enum class Kind : std::uint8_t {
    state,             // detail: the ThreadState
    steal,             // from a deque of the node; peer: whose, the communication thread's last
    request_sent,      // peer: the rank; detail: the RequestKind; the same for those below
    request_received,  //
    loot_sent,         //
    loot_received,     //
  };
  std::int64_t at_ns = 0;      // when it began
  std::int64_t length_ns = 0;  // of a state
  std::uint64_t tasks = 0;     // done in this state, stolen, or sent
  std::int32_t peer = 0;       // see Kind
  std::uint32_t number = 0;    // of a message, among those of its kind and detail from rank to rank
  Kind kind{};                 // what it is about
  std::uint8_t detail = 0;     // see Kind
};

// Of one thread.
struct ThreadTrace {
  std::vector<TraceEvent> events;  // in the order of their ends
  std::uint64_t dropped = 0;       // older ones, for which there was no room
};

// The latest events of one thread.
class TraceRing {
 public:
  // room: for how many events; 0: none are kept, nor counted.
  explicit TraceRing(std::size_t room) : room_(room) {}

  // Are events kept?
  [[nodiscard]] bool on() const noexcept { return room_ > 0; }

  // Keeps an event. Throws std::bad_alloc as long as the ring still grows.
  void record(const TraceEvent& event) {
    if (trace_.events.size() < room_) {
      trace_.events.push_back(event);
    } else if (room_ > 0) {
      trace_.events[oldest_] = event;
      oldest_ = (oldest_ + 1) % room_;
      ++trace_.dropped;
    }
  }

  // What was kept, oldest first; leaves nothing.
  [[nodiscard]] ThreadTrace take() {
    std::rotate(trace_.events.begin(), std::next(trace_.events.begin(), std::ptrdiff_t(oldest_)),
                trace_.events.end());
    oldest_ = 0;
    return std::exchange(trace_, {});
  }

 private:
  std::size_t room_;
  std::size_t oldest_ = 0;
  ThreadTrace trace_;
};

// A look at rank 0's clock from another rank.
struct ClockReading {
  std::int64_t at_ns = 0;     // by the own clock
  std::int64_t ahead_ns = 0;  // by how much the own clock is ahead of rank 0's
  std::int64_t error_ns = 0;  // at most wrong by this
};

// Of one rank.
struct RankTrace {
  std::int64_t start_ns = 0;  // of the run, by the own clock
  std::vector<ThreadTrace>
      threads;         // the workers, then the communication thread; empty: not traced
  ClockReading first;  // before the run
  ClockReading last;   // after it

  // A time of the own clock by rank 0's: the clocks drift apart evenly between the two readings.
  [[nodiscard]] std::int64_t by_clock_of_root(std::int64_t own_ns) const noexcept {
    const auto span = static_cast<double>(last.at_ns - first.at_ns);
    const double share = span > 0 ? static_cast<double>(own_ns - first.at_ns) / span : 0;
    const auto drift = static_cast<double>(last.ahead_ns - first.ahead_ns);
    return own_ns - first.ahead_ns - static_cast<std::int64_t>(share * drift);
  }
};

}  // namespace belay
