// CommunicationThreads: what the communication threads of all simulated nodes do: tell the
// engine how its node fares and what arrived, carry out its actions, receive loot. They are to
// the engine what inter/runtime/communication_thread.hpp is to it under MPI, and decide nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "belay/core/problem.hpp"
#include "belay/core/rng.hpp"
#include "belay/inter/protocol/actions.hpp"
#include "belay/inter/sim/cluster.hpp"
#include "belay/inter/sim/mail.hpp"
#include "belay/inter/sim/network.hpp"
#include "belay/inter/sim/workers.hpp"

namespace belay::sim {

template <Problem P>
class CommunicationThreads {
 public:
  CommunicationThreads(Cluster<P>& cluster, Workers<P>& workers)
      : cluster_(&cluster),
        workers_(&workers),
        network_(cluster.options.costs, cluster.options.seed),
        luck_(cluster.options.seed, kLuckStream) {}

  // All that has arrived, then the node itself.
  void look_around(int rank) {
    Node& home = cluster_->node(rank);
    if (home.done) return;
    cluster_->tell(&Observer::handle_look, rank);
    const Costs& costs = cluster_->options.costs;
    spent_ = 0;
    std::swap(inbox_, home.inbox);
    for (const int slot : inbox_) {
      spent_ += costs.service * home.slowness;
      receive(rank, mail_.take(slot));
    }
    inbox_.clear();
    const LocalState state = local_state(rank, false);
    home.engine.handle_local(state, actions_);
    perform(rank, state);
    tell_verdict(rank);
    spent_ += costs.look * home.slowness;
    home.busy_until = cluster_->queue.now() + spent_;
    if (is_held_up()) home.busy_until += costs.held_up * home.slowness;
    if (costs.shares_cores) workers_->charge(rank, spent_);
    // Who waits for this node's surplus is served as soon as there is some.
    if (home.engine.wants_surplus() && home.surplus > 0) cluster_->ring(rank);
    if (!home.engine.done()) return;
    home.done = true;
    ++done_;
    if (done_ == cluster_->options.nodes) cluster_->tell(&Observer::handle_end);
  }

  void arrive(int rank, int slot) {
    cluster_->tell(&Observer::handle_arrived, mail_.envelope(slot));
    Node& home = cluster_->node(rank);
    if (home.done) {  // nobody is there
      mail_.take(slot);
      return;
    }
    home.inbox.push_back(slot);
    cluster_->look_for_message(rank);
  }

  // User code throws at this node, or a stop is requested there.
  void befall(int rank, RunOutcome outcome) {
    Node& home = cluster_->node(rank);
    if (home.done) return;
    cluster_->tell(&Observer::handle_mishap, rank, outcome);
    home.engine.report(outcome);
    if (outcome == RunOutcome::failed) home.failed = true;
    cluster_->ring(rank);
  }

  [[nodiscard]] bool all_done() const {
    return done_ == cluster_->options.nodes && mail_.under_way() == 0;
  }
  // When the root decided the outcome.
  [[nodiscard]] Nanoseconds decided() const noexcept { return decided_; }

 private:
  using Node = SimulatedNode<P>;
  using Loot = typename Node::Chunks;

  // Of the seed, beside those of the engines, which are numbered by rank.
  static constexpr std::uint64_t kLuckStream = ~std::uint64_t{1};

  bool is_held_up() {
    constexpr std::uint32_t kParts = 1'000'000;
    const double share = cluster_->options.costs.held_up_share;
    return share > 0 && luck_.below(kParts) < share * kParts;
  }

  // As the host reports it. How many chunks there are, more than none, counts only where some may
  // be given away.
  LocalState local_state(int rank, bool may_give) {
    const Node& home = cluster_->node(rank);
    if (may_give || home.engine.wants_surplus()) workers_->settle_all(rank);
    LocalState state = home.local_state();
    state.now_ns = cluster_->queue.now();
    if (gives_arrived(rank)) {
      state.surplus += state.arrived;
      state.shown += state.arrived;
    }
    if (interference() != nullptr) interference()->report(rank, state);
    return state;
  }

  void receive(int rank, Parcel<Loot> parcel) {
    Node& home = cluster_->node(rank);
    const Envelope& envelope = parcel.envelope;
    cluster_->tell(&Observer::handle_received, envelope);
    if (home.engine.decided()) {
      if (!parcel.loot.empty()) {
        cluster_->tell(&Observer::handle_discarded, rank, envelope.tasks);
      }
    } else {
      workers_->merge_beyond(home.workers.size(), parcel.loot);
      for (auto& chunk : parcel.loot) {
        home.tasks += workers_->tasks_of(chunk.bag);
        home.arrived.push_back(std::move(chunk));
        cluster_->call_one(rank);
      }
    }
    const bool may_give = envelope.message.kind == MessageKind::request;
    const LocalState state = local_state(rank, may_give);
    home.engine.handle_message(envelope.from, envelope.message, state, actions_);
    perform(rank, state);
    tell_verdict(rank);
  }

  // Carries out the engine's actions; performing one may add more.
  void perform(int rank, const LocalState& state) {
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      const Action action = actions_[i];
      if (const auto* send = std::get_if<Send>(&action)) {
        post(rank, send->to, send->message, {});
      } else if (const auto* give = std::get_if<Give>(&action)) {
        Loot chunks = take(rank, give->chunks);
        if (chunks.empty()) {
          cluster_->node(rank).engine.nothing_to_give(*give, state, actions_);
        } else {
          post(rank, give->to, give->message, std::move(chunks));
        }
      } else {
        workers_->beckon_all(rank);
      }
    }
    actions_.clear();
  }

  Loot take(int rank, std::uint32_t count) {
    Node& home = cluster_->node(rank);
    if (luck_.below(16) < cluster_->options.lost_gives) workers_->take_back(rank);
    Loot chunks = home.take(count);
    for (int i = 0; i < cluster_->options.workers; ++i) workers_->robbed(rank, i);
    if (gives_arrived(rank)) {
      while (chunks.size() < count && !home.arrived.empty()) {
        chunks.push_back(Node::pop_front(home.arrived));
      }
    }
    for (const auto& chunk : chunks) home.tasks -= workers_->tasks_of(chunk.bag);
    return chunks;
  }

  void post(int from, int to, const Message& message, Loot loot) {
    const Nanoseconds now = cluster_->queue.now();
    Envelope envelope{from, to, now, message, {}, 0, 0};
    for (const auto& chunk : loot) {
      envelope.chunks.push_back(chunk.id);
      envelope.tasks += chunk.bag.size();
    }
    cluster_->tell(&Observer::handle_sent, envelope);
    const int copies = interference() == nullptr ? 1 : interference()->carry(envelope);
    for (int i = 0; i < copies; ++i) {
      const Nanoseconds delay =
          network_.delay(from, to, now, spent_, envelope.tasks) + envelope.delay;
      const int slot = mail_.put({envelope, std::exchange(loot, {})});
      cluster_->schedule(delay, {Event::arrival, to, slot});
    }
  }

  void tell_verdict(int rank) {
    Node& home = cluster_->node(rank);
    if (home.engine.decided() && !home.told_decided) {
      home.told_decided = true;
      if (rank == 0) decided_ = cluster_->queue.now();
      cluster_->tell(&Observer::handle_decided, rank, home.engine.outcome(),
                     home.engine.failed_rank());
    }
    if (home.engine.done() && !home.told_done) {
      home.told_done = true;
      cluster_->tell(&Observer::handle_done, rank);
    }
  }

  [[nodiscard]] Interference* interference() const { return cluster_->options.interference; }
  [[nodiscard]] bool gives_arrived(int rank) const {
    return interference() != nullptr && interference()->gives_arrived(rank);
  }

  Cluster<P>* cluster_;
  Workers<P>* workers_;
  Network network_;
  Rng luck_;
  Mail<Loot> mail_;
  Actions actions_;
  std::vector<int> inbox_;  // of the node that looks
  Nanoseconds spent_ = 0;   // by it, on what it has found so far
  Nanoseconds decided_ = 0;
  int done_ = 0;
};

}  // namespace belay::sim
