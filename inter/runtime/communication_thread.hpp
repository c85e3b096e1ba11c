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
#include "belay/core/statistics.hpp"
#include "belay/core/timeline.hpp"
#include "belay/inter/protocol/engine.hpp"
#include "belay/inter/runtime/message_trace.hpp"
#include "belay/inter/runtime/progress_reports.hpp"
#include "belay/inter/transport/mailbox.hpp"
#include "belay/inter/transport/wire.hpp"
#include "belay/intra/clock.hpp"
#include "belay/intra/node.hpp"

namespace belay {

struct CommunicationOptions {
  ProtocolOptions protocol;
  std::uint32_t run_number = 0;
  int own_cores = 0;                    // of the host's; 0: other ranks' threads run there too
  ProgressReports* progress = nullptr;  // none: nobody wants to know
  std::int64_t start_ns = 0;            // of the run, by now_ns()
  std::size_t trace_events = 0;         // that are kept
};

template <Problem P>
class CommunicationThread {
 public:
  using Bag = typename P::Bag;

  // It sleeps so long while busy workers watch the network, and until they have not done so for as
  // long: where there are more workers than cores, they do so only in their turns.
  static constexpr std::chrono::microseconds kWatchedSleep{20'000};

  CommunicationThread(const P& problem, Node<P>& node, Mailbox& mailbox,
                      const CommunicationOptions& options)
      : problem_(&problem),
        node_(&node),
        mailbox_(&mailbox),
        options_(options),
        engine_(options.protocol),
        alone_(options.protocol.size == 1),
        timeline_(options.start_ns, options.trace_events),
        trace_(timeline_),
        tasks_from_(static_cast<std::size_t>(options.protocol.size)) {}

  // Runs the protocol to its end; the node's workers have then been told to end.
  void run(const std::stop_token& stop) {
    const std::stop_callback wake(stop, [this] { node_->doorbell().ring(); });
    bool stop_reported = false;
    timeline_.enter(ThreadState::probing, now_ns());
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
      if (engine_.decided()) end_node();
      if (options_.progress != nullptr) report_progress();
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

  // After run(): adds what this thread did until end_ns to its rank's statistics. Once, and after
  // the workers'.
  void add_statistics(std::int64_t end_ns, RankStatistics& rank) {
    timeline_.close(end_ns);
    rank.communication = engine_.statistics();
    rank.communication.tasks_sent = transfers_.tasks_sent;
    rank.communication.tasks_received = transfers_.tasks_received;
    rank.communication.bytes_sent = transfers_.bytes_sent;
    rank.communication.bytes_received = transfers_.bytes_received;
    rank.communication.wakeups = transfers_.wakeups;
    rank.communication.steal_times = transfers_.steal_times;
    rank.communication.decided = transfers_.decided;
    rank.communication.seconds = timeline_.story().total();
    for (std::size_t from = 0; from < tasks_from_.size(); ++from) {
      if (tasks_from_[from] == 0) continue;
      rank.loot_from.push_back({static_cast<int>(from), tasks_from_[from]});
    }
    if (timeline_.traced()) rank.trace.threads.push_back(timeline_.take_trace());
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Kind = TraceEvent::Kind;

  // Doing something else than looking at the network, while it lives.
  class Doing {
   public:
    Doing(Timeline& timeline, ThreadState state) : timeline_(&timeline) {
      timeline_->enter(state, now_ns());
    }
    ~Doing() { timeline_->enter(ThreadState::probing, now_ns()); }
    Doing(const Doing&) = delete;
    Doing& operator=(const Doing&) = delete;

   private:
    Timeline* timeline_;
  };

  // While something is expected and a core is free, a waiting worker's or a spare one, poll this
  // long before sleeping.
  static constexpr std::chrono::microseconds kPoll{1000};
  // Sleeps grow from the first to the last while nothing happens. A sleep of 100 us costs two
  // busy workers 10 % here, one of 1 ms 1 %.
  static constexpr std::chrono::microseconds kFirstSleep{100};
  static constexpr std::chrono::microseconds kLastSleep{1000};
  // A node that has been idle for long is to cost its host nothing to speak of.
  static constexpr std::chrono::seconds kLongIdle{1};
  static constexpr std::chrono::microseconds kIdleSleep{4'000};

  LocalState local_state() {
    LocalState state;
    state.idle = node_->idle();
    state.surplus = node_->surplus();
    state.shown = node_->shown();
    state.arrived = node_->arrived();
    state.tasks = node_->tasks();
    state.few = node_->few();
    state.times_few = node_->times_few();
    state.hungry = state.surplus == 0 && node_->hungry();
    state.now_ns = now_ns();
    return state;
  }

  void end_node() {
    if (transfers_.decided > 0) return;
    node_->end();
    transfers_.decided = seconds_between(options_.start_ns, now_ns());
  }

  void report_progress() {
    const std::int64_t time_ns = now_ns();
    if (!options_.progress->due(time_ns)) return;
    const auto all = options_.progress->report(
        time_ns,
        {.tasks = node_->tasks_done(), .busy = node_->busy_workers(), .workers = node_->workers()});
    if (!all) return;
    try {
      options_.progress->tell(*all);
    } catch (...) {
      node_->fail(describe_current_exception());
    }
  }

  void receive(int from, std::span<const std::byte> bytes) {
    const WireMessage incoming = decode(options_.run_number, bytes);
    if (incoming.message.kind == MessageKind::request) {
      trace_.record(Kind::request_received, incoming.message.request, from);
    }
    if (incoming.message.kind == MessageKind::loot) {
      const Doing stealing(timeline_, ThreadState::stealing);
      const std::uint64_t tasks = accept_loot(incoming.payload);
      tasks_from_[static_cast<std::size_t>(from)] += tasks;
      trace_.record(Kind::loot_received, incoming.message.request, from, tasks);
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

  // Returns how many tasks it brought.
  std::uint64_t accept_loot(std::span<const std::byte> payload) {
    std::uint64_t tasks = 0;
    transfers_.bytes_received += payload.size();
    if (engine_.decided()) return tasks;  // a failed or stopped run: thrown away, but counted
    try {
      Unpacker unpacker(payload);
      const auto count = unpacker.get<std::uint32_t>();
      std::vector<Bag> bags;
      for (std::uint32_t i = 0; i < count; ++i) {
        bags.push_back(detail::unpack_bag(*problem_, unpacker));
        tasks += bags.back().size();
      }
      BELAY_CHECK(unpacker.left() == 0, unpacker.left());
      node_->put(std::move(bags));
    } catch (...) {
      node_->fail(describe_current_exception());
    }
    transfers_.tasks_received += tasks;
    return tasks;
  }

  // Carries out the engine's actions; performing one may add more.
  void perform(const LocalState& state) {
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      const Action action = actions_[i];
      if (const auto* send = std::get_if<Send>(&action)) {
        if (send->message.kind == MessageKind::request) {
          if (send->message.request != RequestKind::prefetch) asked_ns_ = state.now_ns;
          trace_.record(Kind::request_sent, send->message.request, send->to);
        }
        mailbox_->send(send->to, encode(options_.run_number, send->message));
      } else if (const auto* give = std::get_if<Give>(&action)) {
        if (!give_loot(*give)) engine_.nothing_to_give(*give, state, actions_);
      } else {
        // Whoever is to be served with what they publish is known before they look.
        node_->want_surplus(engine_.wants_surplus());
        node_->ask_to_publish();
      }
    }
    actions_.clear();
  }

  bool give_loot(const Give& give) {
    const Doing distributing(timeline_, ThreadState::distributing);
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
    trace_.record(Kind::loot_sent, give.message.request, give.to, tasks);
    mailbox_->send(give.to, encode(options_.run_number, give.message, payload));
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
      const Doing nothing(timeline_, ThreadState::idle);
      std::optional<std::chrono::nanoseconds> longest;
      if (options_.progress != nullptr) longest.emplace(ProgressReports::kIntervalNs);
      node_->doorbell().wait_for(longest);
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
    const Doing nothing(timeline_, ThreadState::idle);
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

  bool may_poll() {
    if (node_->awake_workers() >= options_.own_cores && !node_->idle()) return false;
    const auto now = Clock::now();
    if (!quiet_since_) quiet_since_ = now;
    return now - *quiet_since_ < kPoll;
  }

  const P* problem_;
  Node<P>* node_;
  Mailbox* mailbox_;
  CommunicationOptions options_;
  Engine engine_;
  bool alone_;
  bool failure_reported_ = false;
  Actions actions_;
  CommunicationStatistics transfers_;  // what the engine cannot know
  std::chrono::microseconds sleep_ = kFirstSleep;
  std::optional<Clock::time_point> quiet_since_;
  std::optional<Clock::time_point> idle_since_;
  std::int64_t asked_ns_ = 0;  // when the unanswered request was sent; no prefetch
  Timeline timeline_;
  MessageTrace trace_;
  std::vector<std::uint64_t> tasks_from_;  // by the rank whose loot they were
};

}  // namespace belay
