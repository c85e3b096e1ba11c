#include "belay/inter/protocol/steal_protocol.hpp"

#include <algorithm>
#include <cstddef>

#include "belay/core/errors.hpp"
#include "belay/inter/protocol/lifeline_graph.hpp"

namespace belay {

namespace {

std::size_t index(RequestKind kind) { return static_cast<std::size_t>(kind); }

}  // namespace

StealProtocol::StealProtocol(const ProtocolOptions& options)
    : options_(options), rng_(options.seed, static_cast<std::uint64_t>(options.rank)) {
  for (int rank : LifelineGraph(options.size, options.lifelines).lifelines_of(options.rank)) {
    lifelines_.push_back({rank, false});
  }
}

void StealProtocol::handle_local(const LocalState& state, Actions& actions) {
  if (closed_ || options_.size == 1) return;
  if (state.surplus > 0) serve_lifelines(state, actions);
  if (state.hungry) {
    look_for_work(actions);
  } else {
    random_tries_ = 0;
  }
  if (options_.prefetch) prefetch(state, actions);
}

void StealProtocol::handle_request(int from, RequestKind kind, const LocalState& state,
                                   Actions& actions) {
  ++statistics_.received.requests[index(kind)];
  if (can_serve(kind, state)) {
    const std::uint32_t chunks = options_.steal_half ? (state.surplus + 1) / 2 : 1;
    give(from, kind, false, chunks, actions);
  } else {
    if (kind == RequestKind::lifeline && !closed_) remember(from);
    refuse(from, kind, state, actions);
  }
}

void StealProtocol::handle_refusal(const Message& message) {
  auto& answers =
      message.has_private_work ? statistics_.sent.private_work : statistics_.sent.no_work;
  ++answers[index(message.request)];
  if (message.request == RequestKind::prefetch) {
    prefetching_ = false;
    return;
  }
  BELAY_CHECK(asked_.has_value(), index(message.request));
  asked_.reset();
}

void StealProtocol::handle_loot(int from, const Message& message) {
  ++statistics_.loot_received;
  random_tries_ = 0;
  may_prefetch_ = true;
  if (message.request == RequestKind::lifeline) {
    for (Lifeline& lifeline : lifelines_) {
      if (lifeline.rank == from) lifeline.set = false;
    }
  }
  if (message.late) return;
  ++statistics_.sent.loot[index(message.request)];
  if (message.request == RequestKind::prefetch) {
    prefetching_ = false;
  } else {
    BELAY_CHECK(asked_ == from, from);
    asked_.reset();
  }
}

void StealProtocol::nothing_to_give(const Give& give, const LocalState& state, Actions& actions) {
  --statistics_.loot_sent;
  const RequestKind kind = give.message.request;
  if (kind == RequestKind::lifeline) remember(give.to);
  if (give.message.late) return;
  --statistics_.received.loot[index(kind)];
  refuse(give.to, kind, state, actions);
}

void StealProtocol::close() {
  closed_ = true;
  thieves_.clear();
}

// Fair shares: of n thieves and this node, each gets the same number of chunks.
void StealProtocol::serve_lifelines(const LocalState& state, Actions& actions) {
  const auto waiting = static_cast<std::uint32_t>(thieves_.size());
  const std::uint32_t served = std::min(waiting, state.surplus);
  if (served == 0) return;
  const std::uint32_t fair = options_.steal_half ? state.surplus / (waiting + 1) : 1;
  const auto end = thieves_.begin() + served;
  std::for_each(thieves_.begin(), end, [&](int thief) {
    give(thief, RequestKind::lifeline, true, std::max(fair, 1U), actions);
  });
  thieves_.erase(thieves_.begin(), end);
}

void StealProtocol::look_for_work(Actions& actions) {
  if (asked_) return;
  if (random_tries_ < options_.random_steals) {
    ++random_tries_;
    const auto others = static_cast<std::uint32_t>(options_.size - 1);
    const int offset = 1 + static_cast<int>(rng_.below(others));
    send_request((options_.rank + offset) % options_.size, RequestKind::random, actions);
    return;
  }
  for (Lifeline& lifeline : lifelines_) {
    if (lifeline.set) continue;
    // Set now, not when the refusal comes: late loot may overtake the refusal.
    lifeline.set = true;
    send_request(lifeline.rank, RequestKind::lifeline, actions);
    return;
  }
}

void StealProtocol::prefetch(const LocalState& state, Actions& actions) {
  if (state.surplus >= options_.prefetch_below) {
    may_prefetch_ = true;
  } else if (!state.idle && may_prefetch_ && !prefetching_) {
    may_prefetch_ = false;
    send_request((options_.rank + 1) % options_.size, RequestKind::prefetch, actions);
  }
}

void StealProtocol::send_request(int to, RequestKind kind, Actions& actions) {
  if (kind == RequestKind::prefetch) {
    prefetching_ = true;
  } else {
    asked_ = to;
  }
  ++statistics_.sent.requests[index(kind)];
  Message request;
  request.kind = MessageKind::request;
  request.request = kind;
  actions.emplace_back(Send{to, request});
}

void StealProtocol::refuse(int to, RequestKind kind, const LocalState& state, Actions& actions) {
  const bool has_private_work = !closed_ && !state.idle;
  auto& answers =
      has_private_work ? statistics_.received.private_work : statistics_.received.no_work;
  ++answers[index(kind)];
  Message refusal;
  refusal.kind = MessageKind::refusal;
  refusal.request = kind;
  refusal.has_private_work = has_private_work;
  actions.emplace_back(Send{to, refusal});
  if (has_private_work) actions.emplace_back(AskToPublish{});
}

void StealProtocol::give(int to, RequestKind kind, bool late, std::uint32_t chunks,
                         Actions& actions) {
  // Counted before the tasks leave the deque.
  ++statistics_.loot_sent;
  if (!late) ++statistics_.received.loot[index(kind)];
  Message loot;
  loot.kind = MessageKind::loot;
  loot.request = kind;
  loot.late = late;
  actions.emplace_back(Give{to, chunks, loot});
}

void StealProtocol::remember(int thief) {
  if (std::find(thieves_.begin(), thieves_.end(), thief) == thieves_.end()) {
    thieves_.push_back(thief);
  }
}

// A prefetch is served only from a surplus that stays above the mark below which this node
// would send one itself: two neighbours cannot swap the same chunk for ever.
bool StealProtocol::can_serve(RequestKind kind, const LocalState& state) const {
  if (closed_) return false;
  const std::uint32_t least = kind == RequestKind::prefetch ? options_.prefetch_below + 1 : 1;
  return state.surplus >= least;
}

}  // namespace belay
