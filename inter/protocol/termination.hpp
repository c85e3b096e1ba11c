// Termination: votes up a combining tree decide that nothing is left, then that no message is.
//
// The nodes form a tree of arity kTreeArity over the ranks, root 0. In a round each node that
// is ready, and whose children have all voted, sends its parent one vote; the root asks for
// the next round or changes the phase. The README beside this file has states, transitions
// and why it cannot go wrong.
//
//   working   ready = idle. Votes carry loot sent and received. Two successive rounds that
//             balance and agree mean that no task and no loot exists (four counters: Mattern
//             1987, 10.1007/BF01782776). A report of a failure or a stop ends the phase too.
//   draining  The outcome is fixed. Ready = own requests are answered. A round whose loot
//             balances means that no message of the run is under way.
//   leaving   A node is done when it has all that its parent ever sent it.
//
// Pure: calls in, actions out. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "belay/inter/protocol/actions.hpp"

namespace belay {

// Loot messages a node has sent and received since the run began.
struct LootCount {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  friend bool operator==(const LootCount&, const LootCount&) = default;
};

class Termination {
 public:
  // Each hop waits for a communication thread to look; wider means fewer hops, but more
  // messages at one node.
  static constexpr int kTreeArity = 4;

  Termination(int rank, int size);

  // Something failed on `rank`, or a stop was requested there. Goes to the root, or is dropped
  // when the outcome is known.
  void report(RunOutcome outcome, int rank);

  // Looks whether this node can vote, report or decide. ready: see Phase above.
  void advance(bool ready, const LootCount& own, Actions& actions);

  void handle_ask(const Message& message, Actions& actions);
  void handle_vote(int from, const Message& message);
  void handle_report(int from, const Message& message);

  [[nodiscard]] Phase phase() const noexcept { return phase_; }
  // Nothing more will come from or go to anybody: the run is over for this node.
  [[nodiscard]] bool done() const noexcept;
  // Meaningful when no longer working.
  [[nodiscard]] RunOutcome outcome() const noexcept { return verdict_.outcome; }
  // The lowest rank that failed, when outcome() is failed.
  [[nodiscard]] int failed_rank() const noexcept { return verdict_.rank; }
  // Votes this node has given.
  [[nodiscard]] std::uint64_t votes() const noexcept { return votes_; }

 private:
  struct Child {
    int rank;
    std::uint32_t asked = 0;     // messages sent to it
    std::uint32_t received = 0;  // messages received from it
    bool voted = false;          // in this round
    std::uint32_t claimed = 0;   // messages it had sent us when it voted
    LootCount loot;
  };

  struct Verdict {
    RunOutcome outcome = RunOutcome::success;
    int rank = 0;
    // A failure beats a stop, a lower rank a higher one.
    [[nodiscard]] bool beats(const Verdict& other) const noexcept;
  };

  [[nodiscard]] bool is_root() const noexcept { return rank_ == 0; }
  Child& child(int rank);
  void pass_report_on(Actions& actions);
  [[nodiscard]] bool all_children_voted() const;
  void conclude_round(const LootCount& total, Actions& actions);
  void begin_round(std::uint32_t round, Phase phase, Actions& actions);
  void send_to_parent(Message message, Actions& actions);

  int rank_;
  int parent_;
  std::vector<Child> children_;
  std::uint32_t round_ = 1;  // the first round needs no asking
  Phase phase_ = Phase::working;
  bool voted_ = false;                   // this node, in this round
  std::uint32_t sent_up_ = 0;            // messages sent to the parent
  std::uint32_t from_parent_ = 0;        // messages received from it
  std::uint32_t parent_claimed_ = 0;     // messages it had sent when it said to leave
  std::optional<LootCount> last_total_;  // root: of the round before, in the working phase
  std::optional<Verdict> reported_;      // best report seen
  bool report_pending_ = false;          // and not passed on yet
  Verdict verdict_;
  std::uint64_t votes_ = 0;
};

}  // namespace belay
