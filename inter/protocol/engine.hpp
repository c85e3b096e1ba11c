// Engine: one node's whole protocol, stealing and termination together.
//
// The same object runs under MPI and in the simulator. Its host reports how the node fares and
// what arrived, and carries out the actions in order before it calls again. Pure: no I/O, no
// clock, no thread, no allocation in steady state.
#pragma once

#include <cstdint>

#include "belay/inter/protocol/actions.hpp"
#include "belay/inter/protocol/steal_protocol.hpp"
#include "belay/inter/protocol/termination.hpp"

namespace belay {

class Engine {
 public:
  explicit Engine(const ProtocolOptions& options)
      : steals_(options), termination_(options.rank, options.size), rank_(options.rank) {}

  // To be called whenever something may have changed at the node, with a fresh state.
  void handle_local(const LocalState& state, Actions& actions);

  // A message has arrived; of loot, its tasks are already on the communication thread's deque.
  void handle_message(int from, const Message& message, const LocalState& state, Actions& actions);

  // The host found no chunk for this action.
  void nothing_to_give(const Give& give, const LocalState& state, Actions& actions) {
    steals_.nothing_to_give(give, state, actions);
  }

  // User code threw here, or a stop was requested here. Takes effect in handle_local.
  void report(RunOutcome outcome) { termination_.report(outcome, rank_); }

  // The outcome is decided: loot that still arrives is to be thrown away, and unless it is a
  // success, workers are to stop.
  [[nodiscard]] bool decided() const noexcept { return termination_.phase() != Phase::working; }
  // The run is over for this node: no message will come for it, and none is owed.
  [[nodiscard]] bool done() const noexcept { return termination_.done(); }
  [[nodiscard]] RunOutcome outcome() const noexcept { return termination_.outcome(); }
  [[nodiscard]] int failed_rank() const noexcept { return termination_.failed_rank(); }

  // An own request is unanswered.
  [[nodiscard]] bool awaiting_answer() const noexcept { return !steals_.quiet(); }
  // Somebody waits for this node's surplus.
  [[nodiscard]] bool wants_surplus() const noexcept { return steals_.wants_surplus(); }

  [[nodiscard]] const StealStatistics& steals() const noexcept { return steals_.statistics(); }
  [[nodiscard]] CommunicationStatistics statistics() const {
    CommunicationStatistics all;
    all.sent = steals().sent;
    all.received = steals().received;
    all.loot_sent = steals().loot_sent;
    all.loot_received = steals().loot_received;
    all.votes = termination_.votes();
    return all;
  }

 private:
  StealProtocol steals_;
  Termination termination_;
  int rank_;
};

}  // namespace belay
