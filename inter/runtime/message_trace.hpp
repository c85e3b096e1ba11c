// MessageTrace: a rank's requests and loot in its communication thread's trace.
//
// A message is found again in its receiver's trace by its number: of one kind, from one rank to
// another, requests arrive in the order in which they were sent, and of loot there is never more
// than one under way.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "belay/core/statistics.hpp"
#include "belay/core/timeline.hpp"
#include "belay/intra/clock.hpp"

namespace belay {

class MessageTrace {
 public:
  explicit MessageTrace(Timeline& timeline) : timeline_(&timeline) {}

  // Now; tasks: in loot.
  void record(TraceEvent::Kind kind, RequestKind request, int peer, std::uint64_t tasks = 0) {
    if (!timeline_->traced()) return;
    timeline_->record({.at_ns = now_ns(),
                       .tasks = tasks,
                       .peer = peer,
                       .number = numbers_[{kind, request, peer}]++,
                       .kind = kind,
                       .detail = static_cast<std::uint8_t>(request)});
  }

 private:
  Timeline* timeline_;
  std::map<std::tuple<TraceEvent::Kind, RequestKind, int>, std::uint32_t> numbers_;
};

}  // namespace belay
