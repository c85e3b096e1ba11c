// MessageId: which message between two communication threads an event of a trace is about. What the
// sender and the receiver recorded of a message has the same one.
#pragma once

#include <cstdint>
#include <tuple>

#include "belay/core/trace.hpp"

namespace apps {

// Sender, receiver, is it loot, its RequestKind, its number.
using MessageId = std::tuple<int, int, bool, std::uint8_t, std::uint32_t>;

[[nodiscard]] inline bool is_received(const belay::TraceEvent& event) {
  using Kind = belay::TraceEvent::Kind;
  return event.kind == Kind::request_received || event.kind == Kind::loot_received;
}

// Of an event that is about a message, from the trace of this rank.
[[nodiscard]] inline MessageId message_id(int rank, const belay::TraceEvent& event) {
  using Kind = belay::TraceEvent::Kind;
  const bool loot = event.kind == Kind::loot_sent || event.kind == Kind::loot_received;
  return is_received(event) ? MessageId{event.peer, rank, loot, event.detail, event.number}
                            : MessageId{rank, event.peer, loot, event.detail, event.number};
}

}  // namespace apps
