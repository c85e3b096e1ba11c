#include "belay/inter/protocol/steal_protocol.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "belay/core/errors.hpp"

namespace belay {

namespace {

constexpr auto kAny = std::numeric_limits<std::uint64_t>::max();

std::size_t index(RequestKind kind) { return static_cast<std::size_t>(kind); }

}  // namespace

ProtocolOptions protocol_options(const Parameters& parameters, int rank, int size, int workers) {
  ProtocolOptions options;
  options.rank = rank;
  options.size = size;
  options.policy = parameters.policy;
  options.random_steals = parameters.random_steals;
  options.lifelines = parameters.lifelines;
  options.steal_half = parameters.steal == 0;
  options.prefetch = parameters.prefetch;
  options.prefetch_below = parameters.prefetch_below > 0
                               ? parameters.prefetch_below
                               : static_cast<std::uint32_t>(std::max(1, workers / 2));
  options.seed = parameters.seed;
  return options;
}

StealProtocol::StealProtocol(const ProtocolOptions& options)
    : StealProtocol(options, options.size == 1 ? nullptr
                                               : make_policy({options.policy, options.rank,
                                                              options.size, options.random_steals,
                                                              options.lifelines, options.seed})) {}

StealProtocol::StealProtocol(const ProtocolOptions& options, std::unique_ptr<Policy> policy)
    : options_(options),
      policy_(std::move(policy)),
      prefetch_victims_(options.rank, options.size, ~options.seed) {}  // not its policy's

void StealProtocol::handle_local(const LocalState& state, Actions& actions) {
  if (closed_ || policy_ == nullptr) return;
  if (state.surplus > 0) serve_remembered(state, actions);
  if (state.hungry) {
    look_for_work(state, actions);
  } else {
    policy_->fed();
  }
  if (options_.prefetch != Prefetch::off) prefetch(state, actions);
}

void StealProtocol::handle_request(const Message& message, const LocalState& state,
                                   Actions& actions) {
  const RequestKind kind = message.request;
  BELAY_CHECK(message.thief >= 0 && message.thief < options_.size, message.thief);
  ++statistics_.received.requests[index(kind)];
  if (can_serve(message, state)) {
    const std::uint32_t chunks = options_.steal_half ? (state.surplus + 1) / 2 : 1;
    give(message.thief, kind, false, chunks, actions);
  } else {
    decline(message, state, actions);
  }
}

void StealProtocol::handle_refusal(int from, const Message& message) {
  auto& answers =
      message.has_private_work ? statistics_.sent.private_work : statistics_.sent.no_work;
  ++answers[index(message.request)];
  if (message.request == RequestKind::prefetch) {
    prefetching_ = false;
    return;
  }
  BELAY_CHECK(asked_, from, index(message.request));
  asked_ = false;
  policy_->refused(from);
}

void StealProtocol::handle_loot(int from, const Message& message) {
  ++statistics_.loot_received;
  may_prefetch_ = true;
  few_ = kAny;
  policy_->loot_came(from, message.request);
  if (message.late) return;
  ++statistics_.sent.loot[index(message.request)];
  if (message.request == RequestKind::prefetch) {
    prefetching_ = false;
  } else {
    BELAY_CHECK(asked_, from);
    asked_ = false;
  }
}

void StealProtocol::nothing_to_give(const Give& give, const LocalState& state, Actions& actions) {
  --statistics_.loot_sent;
  if (give.message.late) {
    remember(give.to);
    return;
  }
  --statistics_.received.loot[index(give.message.request)];
  Message request;
  request.request = give.message.request;
  request.thief = give.to;
  LocalState without = state;
  without.surplus = without.shown = 0;
  decline(request, without, actions);
}

void StealProtocol::close() {
  closed_ = true;
  thieves_.clear();
}

// Fair shares: of n thieves and this node, each gets the same number of chunks.
void StealProtocol::serve_remembered(const LocalState& state, Actions& actions) {
  const auto waiting = static_cast<std::uint32_t>(thieves_.size());
  const std::uint32_t served = std::min(waiting, state.shown);
  if (served == 0) return;
  const std::uint32_t fair = options_.steal_half ? state.surplus / (waiting + 1) : 1;
  const auto end = thieves_.begin() + served;
  std::for_each(thieves_.begin(), end, [&](int thief) {
    give(thief, RequestKind::lifeline, true, std::max(fair, 1U), actions);
  });
  thieves_.erase(thieves_.begin(), end);
}

void StealProtocol::look_for_work(const LocalState& state, Actions& actions) {
  if (asked_) return;
  if (const auto victim = policy_->next_victim(state.now_ns)) {
    send_request(victim->rank, victim->kind, 0, actions);
  }
}

void StealProtocol::prefetch(const LocalState& state, Actions& actions) {
  const std::uint32_t below = options_.prefetch_below;
  if (state.surplus >= below) may_prefetch_ = true;
  if (std::exchange(times_few_, state.times_few) != state.times_few) few_ = kAny;
  if (state.idle || prefetching_ || state.arrived >= kStock * below) return;
  const bool is_short = may_prefetch_ && state.surplus < below;
  if (!is_short && state.tasks >= std::min(state.few, few_)) return;
  may_prefetch_ = false;
  few_ = state.tasks;
  const int victim = options_.prefetch == Prefetch::ring ? (options_.rank + 1) % options_.size
                                                         : prefetch_victims_.next();
  send_request(victim, RequestKind::prefetch, state.tasks, actions);
}

void StealProtocol::send_request(int to, RequestKind kind, std::uint64_t tasks, Actions& actions) {
  (kind == RequestKind::prefetch ? prefetching_ : asked_) = true;
  ++statistics_.sent.requests[index(kind)];
  Message request;
  request.kind = MessageKind::request;
  request.request = kind;
  request.thief = options_.rank;
  request.tasks = tasks;
  actions.emplace_back(Send{to, request});
}

// A prefetch is refused. What else becomes of a request is the policy's choice; but it is not
// forwarded for ever, and after the decision nothing is remembered.
void StealProtocol::decline(const Message& message, const LocalState& state, Actions& actions) {
  const RequestKind kind = message.request;
  if (kind != RequestKind::prefetch && !closed_) {
    const Reply reply = policy_->without_surplus(message.thief, kind);
    if (reply.what == Reply::What::forward &&
        message.hops + 1 < static_cast<std::uint32_t>(options_.size)) {
      Message forwarded = message;
      forwarded.kind = MessageKind::request;
      ++forwarded.hops;
      actions.emplace_back(Send{reply.to, forwarded});
      return;
    }
    if (reply.what == Reply::What::remember) remember(message.thief);
  }
  refuse(message.thief, kind, state, actions);
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
  // Who has a surplus refuses a prefetch for want of tasks, or because others wait: nothing that
  // workers could show would change that.
  const bool shows_enough = kind == RequestKind::prefetch && state.surplus > 0;
  if (has_private_work && !shows_enough) actions.emplace_back(AskToPublish{});
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

// Half of what this node has makes it and the thief of a prefetch more equal if the thief has less
// than half as much.
bool StealProtocol::can_serve(const Message& request, const LocalState& state) const {
  if (closed_ || !thieves_.empty()) return false;  // nobody overtakes those who wait
  if (state.surplus == 0) return false;
  return request.request != RequestKind::prefetch || 2 * request.tasks < state.tasks;
}

}  // namespace belay
