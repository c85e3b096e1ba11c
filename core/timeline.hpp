// Timeline: the states that one thread goes through during a run, summed up in its life story
// and, if wanted, event by event in its trace.
//
// Always in exactly one state, so that the seconds in all states add up to the time from the start
// to close(). A reading of the clock is handed in at each change of state, and in between only
// where the caller has one anyway. One thread per object.
#pragma once

#include <cstddef>
#include <cstdint>

#include "belay/core/life_story.hpp"
#include "belay/core/trace.hpp"

namespace belay {

// Of one thread.
class Timeline {
 public:
  // Idle from the start on, a time in ns by the clock of all others handed in. trace_events: how
  // many to keep, 0: none.
  Timeline(std::int64_t start_ns, std::size_t trace_events)
      : start_ns_(start_ns), since_ns_(start_ns), told_ns_(start_ns), trace_(trace_events) {}

  // From now on in another state, or still in the same one.
  void enter(ThreadState next, std::int64_t now_ns) {
    if (next == state_) return;
    tell(now_ns);
    if (trace_.on()) record_state(now_ns);
    state_ = next;
    since_ns_ = now_ns;
  }

  // Tasks that are done by now, in the present state.
  void count_tasks(std::uint64_t tasks, std::int64_t now_ns) {
    tell(now_ns);
    story_.count_tasks(now_ns - start_ns_, tasks);
    tasks_ += tasks;
  }

  // A moment that the trace is to show, if there is one.
  void record(const TraceEvent& event) { trace_.record(event); }

  // The end, up to which the present state lasts.
  void close(std::int64_t now_ns) {
    tell(now_ns);
    if (trace_.on()) record_state(now_ns);
    since_ns_ = now_ns;
  }

  // Are events kept?
  [[nodiscard]] bool traced() const noexcept { return trace_.on(); }
  // When the present state began.
  [[nodiscard]] std::int64_t since_ns() const noexcept { return since_ns_; }
  // After close().
  [[nodiscard]] const LifeStory& story() const noexcept { return story_; }
  // After close(); leaves none.
  [[nodiscard]] ThreadTrace take_trace() { return trace_.take(); }

 private:
  void tell(std::int64_t now_ns) noexcept {
    story_.spend(state_, told_ns_ - start_ns_, now_ns - start_ns_);
    told_ns_ = now_ns;
  }

  void record_state(std::int64_t now_ns) {
    trace_.record({.at_ns = since_ns_,
                   .length_ns = now_ns - since_ns_,
                   .tasks = tasks_,
                   .kind = TraceEvent::Kind::state,
                   .detail = static_cast<std::uint8_t>(state_)});
    tasks_ = 0;
  }

  std::int64_t start_ns_;
  std::int64_t since_ns_;  // the present state began
  std::int64_t told_ns_;   // up to here the story is told
  ThreadState state_ = ThreadState::idle;
  std::uint64_t tasks_ = 0;  // in the present state
  LifeStory story_;
  TraceRing trace_;
};

}  // namespace belay
