#include "belay/inter/protocol/termination.hpp"

#include <algorithm>
#include <tuple>

#include "belay/core/errors.hpp"

namespace belay {

Termination::Termination(int rank, int size)
    : rank_(rank), parent_(rank == 0 ? -1 : (rank - 1) / kTreeArity) {
  for (int i = 1; i <= kTreeArity; ++i) {
    const std::int64_t below = std::int64_t{rank} * kTreeArity + i;
    if (below < size) children_.push_back(Child{static_cast<int>(below), 0, 0, false, 0, {}});
  }
}

bool Termination::Verdict::beats(const Verdict& other) const noexcept {
  return std::tuple(outcome, -rank) > std::tuple(other.outcome, -other.rank);
}

void Termination::report(RunOutcome outcome, int rank) {
  const Verdict verdict{outcome, rank};
  if (phase_ != Phase::working || (reported_ && !verdict.beats(*reported_))) return;
  reported_ = verdict;
  report_pending_ = true;
}

void Termination::advance(bool ready, const LootCount& own, Actions& actions) {
  pass_report_on(actions);
  if (!ready || voted_ || phase_ == Phase::leaving || !all_children_voted()) return;
  // Votes may overtake the report, and two rounds of them would be taken for a success.
  if (phase_ == Phase::working && reported_) return;

  // Sampled now, after the votes from below have come: all samples of a round are taken
  // between its ask and the root's conclusion.
  LootCount total = own;
  for (const Child& below : children_) {
    total.sent += below.loot.sent;
    total.received += below.loot.received;
  }
  voted_ = true;
  ++votes_;
  if (is_root()) {
    conclude_round(total, actions);
    return;
  }
  Message vote;
  vote.kind = MessageKind::vote;
  vote.phase = phase_;
  vote.round = round_;
  vote.sent = total.sent;
  vote.received = total.received;
  send_to_parent(vote, actions);
}

void Termination::handle_ask(const Message& message, Actions& actions) {
  ++from_parent_;
  // An ask that was overtaken by a later one is only counted.
  if (message.round <= round_) return;
  if (message.phase != Phase::working) {
    verdict_ = {message.outcome, message.rank};
    report_pending_ = false;
  }
  if (message.phase == Phase::leaving) parent_claimed_ = message.edge_count;
  begin_round(message.round, message.phase, actions);
}

void Termination::handle_vote(int from, const Message& message) {
  Child& below = child(from);
  ++below.received;
  // A vote of an earlier round was on its way when the phase changed.
  if (message.round != round_) return;
  below.voted = true;
  below.claimed = message.edge_count;
  below.loot = {message.sent, message.received};
}

void Termination::handle_report(int from, const Message& message) {
  ++child(from).received;
  report(message.outcome, message.rank);
}

bool Termination::done() const noexcept {
  return phase_ == Phase::leaving && from_parent_ == parent_claimed_;
}

Termination::Child& Termination::child(int rank) {
  const auto found = std::find_if(children_.begin(), children_.end(),
                                  [rank](const Child& c) { return c.rank == rank; });
  BELAY_CHECK(found != children_.end(), rank_, rank);
  return *found;
}

void Termination::pass_report_on(Actions& actions) {
  if (!report_pending_) return;
  report_pending_ = false;
  if (is_root()) {
    verdict_ = *reported_;
    begin_round(round_ + 1, Phase::draining, actions);
    return;
  }
  Message report;
  report.kind = MessageKind::report;
  report.outcome = reported_->outcome;
  report.rank = reported_->rank;
  send_to_parent(report, actions);
}

// While draining, a child counts as having voted when all that it sent before has come too.
bool Termination::all_children_voted() const {
  return std::all_of(children_.begin(), children_.end(), [this](const Child& below) {
    return below.voted && (phase_ == Phase::working || below.received == below.claimed);
  });
}

void Termination::conclude_round(const LootCount& total, Actions& actions) {
  const bool balanced = total.sent == total.received;
  if (phase_ == Phase::draining) {
    begin_round(round_ + 1, balanced ? Phase::leaving : Phase::draining, actions);
    return;
  }
  // A node alone needs no second vote: nobody can wake it.
  if (balanced && (children_.empty() || last_total_ == total)) {
    verdict_ = {RunOutcome::success, 0};
    begin_round(round_ + 1, Phase::draining, actions);
    return;
  }
  last_total_ = total;
  begin_round(round_ + 1, Phase::working, actions);
}

void Termination::begin_round(std::uint32_t round, Phase phase, Actions& actions) {
  round_ = round;
  phase_ = phase;
  voted_ = false;
  for (Child& below : children_) {
    below.voted = false;
    Message ask;
    ask.kind = MessageKind::ask;
    ask.phase = phase;
    ask.outcome = verdict_.outcome;
    ask.rank = verdict_.rank;
    ask.round = round;
    ask.edge_count = ++below.asked;
    actions.emplace_back(Send{below.rank, ask});
  }
}

void Termination::send_to_parent(Message message, Actions& actions) {
  message.edge_count = ++sent_up_;
  actions.emplace_back(Send{parent_, message});
}

}  // namespace belay
