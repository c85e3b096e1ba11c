// CommunicationThread: joins one node with the others during one run.
//
// The thread that called run(). It carries messages between the mailbox and the protocol's
// engine, tells the engine how the node fares, and does what the engine wants: as one more
// thief it takes chunks from the workers' deques, and it pushes loot onto its own. It sleeps
// while nothing is going on, never while a send or receive is incomplete; hungry workers wake
// it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "belay/core/errors.hpp"
#include "belay/core/packing.hpp"
#include "belay/core/problem.hpp"
#include "belay/inter/protocol/engine.hpp"
#include "belay/inter/transport/mailbox.hpp"
#include "belay/inter/transport/wire.hpp"
#include "belay/intra/node.hpp"

namespace belay {

template <Problem P>
class CommunicationThread {
 public:
  using Bag = typename P::Bag;

  // has_spare_core: the workers leave it a core, so that polling takes nothing from them.
  CommunicationThread(const P& problem, Node<P>& node, Mailbox& mailbox,
                      const ProtocolOptions& options, std::uint32_t run_number, bool has_spare_core)
      : problem_(&problem),
        node_(&node),
        mailbox_(&mailbox),
        engine_(options),
        run_number_(run_number),
        alone_(options.size == 1),
        has_spare_core_(has_spare_core) {}

  // Runs the protocol to its end; the node's workers have then been told to end.
  void run(const std::stop_token& stop) {
    const std::stop_callback wake(stop, [this] { node_->doorbell().ring(); });
    bool stop_reported = false;
    while (!engine_.done()) {
      const bool received = mailbox_->poll(
          [this](int from, std::span<const std::byte> bytes) { receive(from, bytes); });
      // The state first: a worker that fails says so before it counts as waiting, and a node
      // that failed must report before it could vote.
      const LocalState state = local_state();
      if (!failure_reported_ && node_->failure()) {
        engine_.report(RunOutcome::failed);
        failure_reported_ = true;
      }
      if (!stop_reported && stop.stop_requested()) {
        engine_.report(RunOutcome::stopped);
        stop_reported = true;
      }
      engine_.handle_local(state, actions_);
      perform(state);
      if (engine_.decided()) node_->end();
      if (!received && !engine_.done()) rest();
    }
    // Everything of this run was received, so what is still incomplete here completes soon.
    while (mailbox_->busy()) {
      mailbox_->poll([this](int from, std::span<const std::byte> bytes) { receive(from, bytes); });
      std::this_thread::yield();
    }
  }

  [[nodiscard]] RunOutcome outcome() const noexcept { return engine_.outcome(); }
  [[nodiscard]] int failed_rank() const noexcept { return engine_.failed_rank(); }

  [[nodiscard]] CommunicationStatistics statistics() const {
    CommunicationStatistics all = engine_.statistics();
    all.tasks_sent = transfers_.tasks_sent;
    all.tasks_received = transfers_.tasks_received;
    all.bytes_sent = transfers_.bytes_sent;
    all.bytes_received = transfers_.bytes_received;
    all.wakeups = transfers_.wakeups;
    all.steal_times = transfers_.steal_times;
    return all;
  }

 private:
  using Clock = std::chrono::steady_clock;

  // While something is expected and a core is free, poll this long before sleeping.
  static constexpr std::chrono::microseconds kPoll{1000};
  // Sleeps grow from the first to the last while nothing happens. A sleep of 100 us costs two
  // busy workers 10 % here, one of 1 ms 1 %.
  static constexpr std::chrono::microseconds kFirstSleep{100};
  static constexpr std::chrono::microseconds kLastSleep{1000};
  // While busy workers watch the network, and until they have not done so for as long: where
  // there are more workers than cores, they do so only in their turns.
  static constexpr std::chrono::microseconds kWatchedSleep{20'000};
  // A node that has been idle for long is to cost its host nothing to speak of.
  static constexpr std::chrono::seconds kLongIdle{1};
  static constexpr std::chrono::microseconds kIdleSleep{4'000};

  LocalState local_state() {
    LocalState state;
    state.idle = node_->idle();
    state.surplus = node_->surplus();
    state.hungry = state.surplus == 0 && node_->hungry();
    state.now_ns = now_ns();
    return state;
  }

  void receive(int from, std::span<const std::byte> bytes) {
    const WireMessage incoming = decode(run_number_, bytes);
    if (incoming.message.kind == MessageKind::loot) {
      accept_loot(incoming.payload);
      const bool is_answer =
          !incoming.message.late && incoming.message.request != RequestKind::prefetch;
      if (is_answer) transfers_.steal_times.add(now_ns() - asked_ns_);
    }
    const LocalState state = local_state();
    engine_.handle_message(from, incoming.message, state, actions_);
    perform(state);
    quiet_since_.reset();
    sleep_ = kFirstSleep;
  }

  void accept_loot(std::span<const std::byte> payload) {
    transfers_.bytes_received += payload.size();
    if (engine_.decided()) return;  // a failed or stopped run: thrown away, but counted
    try {
      Unpacker unpacker(payload);
      const auto count = unpacker.get<std::uint32_t>();
      std::vector<Bag> bags;
      for (std::uint32_t i = 0; i < count; ++i) {
        bags.push_back(detail::unpack_bag(*problem_, unpacker));
        transfers_.tasks_received += bags.back().size();
      }
      BELAY_CHECK(unpacker.left() == 0, unpacker.left());
      node_->put(std::move(bags));
    } catch (...) {
      node_->fail(describe_current_exception());
    }
  }

  // Carries out the engine's actions; performing one may add more.
  void perform(const LocalState& state) {
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      const Action action = actions_[i];
      if (const auto* send = std::get_if<Send>(&action)) {
        if (send->message.kind == MessageKind::request &&
            send->message.request != RequestKind::prefetch) {
          asked_ns_ = state.now_ns;
        }
        mailbox_->send(send->to, encode(run_number_, send->message));
      } else if (const auto* give = std::get_if<Give>(&action)) {
        if (!give_loot(*give)) engine_.nothing_to_give(*give, state, actions_);
      } else {
        node_->ask_to_publish();
      }
    }
    actions_.clear();
  }

  bool give_loot(const Give& give) {
    const std::vector<Bag> bags = node_->take(give.chunks);
    if (bags.empty()) return false;
    std::uint64_t tasks = 0;
    Packer packer;
    try {
      packer.put(static_cast<std::uint32_t>(bags.size()));
      for (const Bag& bag : bags) {
        tasks += bag.size();
        detail::pack_bag(*problem_, bag, packer);
      }
    } catch (...) {
      node_->fail(describe_current_exception());
      return false;
    }
    const auto payload = packer.take();
    mailbox_->send(give.to, encode(run_number_, give.message, payload));
    transfers_.tasks_sent += tasks;
    transfers_.bytes_sent += payload.size();
    return true;
  }

  void rest() {
    if (mailbox_->busy()) {
      std::this_thread::yield();
      return;
    }
    if (alone_) {
      node_->doorbell().wait_for(std::nullopt);
      ++transfers_.wakeups;
      return;
    }
    const bool expecting = engine_.awaiting_answer() || engine_.decided();
    if (expecting && may_poll()) {
      std::this_thread::yield();
      return;
    }
    // Who waits for this node's surplus is served as soon as there is some.
    node_->want_surplus(engine_.wants_surplus());
    if (engine_.wants_surplus() && node_->surplus() > 0) return;
    if (node_->doorbell().wait_for(next_sleep(Clock::now()))) {
      sleep_ = kFirstSleep;
      quiet_since_.reset();
    } else {
      sleep_ = std::min(2 * sleep_, kLastSleep);
    }
    ++transfers_.wakeups;
  }

  std::chrono::microseconds next_sleep(Clock::time_point now) {
    if (!node_->idle()) {
      idle_since_.reset();
      const std::chrono::nanoseconds unwatched(now_ns() - node_->last_watch_ns());
      return unwatched < kWatchedSleep ? kWatchedSleep : sleep_;
    }
    if (!idle_since_) idle_since_ = now;
    return now - *idle_since_ < kLongIdle ? sleep_ : kIdleSleep;
  }

  static std::int64_t now_ns() {
    return std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
  }

  bool may_poll() {
    if (!has_spare_core_ && !node_->idle()) return false;
    const auto now = Clock::now();
    if (!quiet_since_) quiet_since_ = now;
    return now - *quiet_since_ < kPoll;
  }

  const P* problem_;
  Node<P>* node_;
  Mailbox* mailbox_;
  Engine engine_;
  std::uint32_t run_number_;
  bool alone_;
  bool has_spare_core_;
  bool failure_reported_ = false;
  Actions actions_;
  CommunicationStatistics transfers_;  // what the engine cannot know
  std::chrono::microseconds sleep_ = kFirstSleep;
  std::optional<Clock::time_point> quiet_since_;
  std::optional<Clock::time_point> idle_since_;
  std::int64_t asked_ns_ = 0;  // when the unanswered request was sent; no prefetch
};

}  // namespace belay
