// Simulation: a cluster in virtual time that runs a real problem under the real protocol.
//
// Nodes, workers and the network are simulated; every decision about victims, answers,
// lifelines, prefetch and the end is made by the engines that also run under MPI. The whole is
// deterministic from its seed. run() checks as it goes, and throws std::logic_error when
//
//   - an engine takes the end for decided while a task or loot exists,
//   - a message is left when all nodes are done, or comes to a node that is,
//   - the end does not come within the bound on events.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "belay/core/errors.hpp"
#include "belay/core/problem.hpp"
#include "belay/inter/sim/costs.hpp"
#include "belay/inter/sim/event_queue.hpp"
#include "belay/inter/sim/network.hpp"
#include "belay/inter/sim/simulated_node.hpp"

namespace belay::sim {

struct SimulationOptions {
  int nodes = 2;
  int workers = 2;  // per node
  std::uint32_t quantum = 128;
  std::size_t chunks_shown = 2;
  std::uint64_t seed = 1;
  std::uint64_t most_events = 50'000'000;
  ProtocolOptions protocol;  // rank, size and seed are filled in
  Costs costs;

  // What goes wrong: at this time, at this node, if set.
  struct Mishap {
    Nanoseconds time = 0;
    int node = 0;
    RunOutcome outcome = RunOutcome::failed;
  };
  std::vector<Mishap> mishaps;
};

template <class Result>
struct SimulationOutcome {
  RunOutcome outcome = RunOutcome::success;
  int failed_rank = 0;
  Result result;  // whole after a success, partial otherwise
  std::uint64_t tasks = 0;
  Nanoseconds time = 0;  // until the last node was done
  std::uint64_t events = 0;
  std::vector<CommunicationStatistics> nodes;
};

template <Problem P>
class Simulation {
 public:
  using Bag = typename P::Bag;
  using Result = typename P::Result;

  Simulation(const P& problem, const SimulationOptions& options)
      : problem_(&problem), options_(options), network_(options.costs, options.seed) {
    for (int rank = 0; rank < options.nodes; ++rank) {
      ProtocolOptions protocol = options.protocol;
      protocol.rank = rank;
      protocol.size = options.nodes;
      protocol.seed = options.seed;
      nodes_.emplace_back(problem, protocol, options.workers);
    }
  }

  // initial: the bag that rank 0 starts with.
  SimulationOutcome<Result> run(Bag initial) {
    nodes_.front().arrived.push_back(std::move(initial));
    for (int rank = 0; rank < options_.nodes; ++rank) {
      for (int worker = 0; worker < options_.workers; ++worker) {
        queue_.schedule(0, {Event::step, rank, worker});
      }
      queue_.schedule(0, {Event::periodic_look, rank, 0});
    }
    for (std::size_t i = 0; i < options_.mishaps.size(); ++i) {
      queue_.schedule(options_.mishaps[i].time,
                      {Event::mishap, options_.mishaps[i].node, static_cast<int>(i)});
    }
    while (done_ < options_.nodes || under_way_ > 0) {
      BELAY_CHECK(!queue_.empty(), done_, options_.nodes, options_.seed);
      BELAY_CHECK(queue_.processed() < options_.most_events, queue_.processed(), options_.seed);
      handle(queue_.next());
    }
    return outcome();
  }

 private:
  struct Event {
    enum Kind : std::uint8_t {
      step,           // worker `index` ends its quantum, or wakes
      look,           // the communication thread looks around, for a reason
      periodic_look,  // ... because it does so once in a while
      arrival,        // the message in slot `index` arrives
      mishap,         // number `index` of the options
    };
    Kind kind;
    int node;
    int index;
  };
  struct Parcel {
    int from;
    Message message;
    std::vector<Bag> loot;
  };
  using Node = SimulatedNode<P>;

  Node& node(int rank) { return nodes_[static_cast<std::size_t>(rank)]; }

  void handle(const Event& event) {
    switch (event.kind) {
      case Event::step:
        step(event.node, event.index);
        return;
      case Event::look:
        node(event.node).look_due = false;
        look_around(event.node);
        return;
      case Event::periodic_look:
        look_around(event.node);
        if (!node(event.node).engine.done()) queue_.schedule(options_.costs.look_around, event);
        return;
      case Event::arrival:
        BELAY_CHECK(!node(event.node).engine.done(), event.node, options_.seed);
        node(event.node).inbox.push_back(event.index);
        look_soon(event.node);
        return;
      case Event::mishap:
        befall(event.node, options_.mishaps[static_cast<std::size_t>(event.index)].outcome);
        return;
    }
  }

  // ---- workers ----

  void step(int rank, int index) {
    Node& home = node(rank);
    auto& worker = home.workers[static_cast<std::size_t>(index)];
    worker.waiting = false;
    if (home.engine.decided() || home.failed) {
      wait(rank, worker);
      return;
    }
    Nanoseconds spent = publish(rank, worker);
    if (worker.bag.size() == 0) spent += find_bag(home, index);
    if (worker.bag.size() == 0) {
      wait(rank, worker);
      return;
    }
    spent += publish(rank, worker);
    Quantum quantum(never_, options_.quantum);
    detail::process(*problem_, worker.bag, worker.local, worker.result, quantum);
    worker.tasks += quantum.taken();
    queue_.schedule(spent + quantum.taken() * options_.costs.task, {Event::step, rank, index});
  }

  Nanoseconds publish(int rank, typename Node::Worker& worker) {
    Nanoseconds spent = 0;
    while (worker.deque.size() < options_.chunks_shown) {
      const Share share = options_.protocol.steal_half ? Share::half() : Share::tasks(1);
      Bag part = problem_->split(worker.bag, share);
      if (part.size() == 0) break;
      worker.deque.push_back(std::move(part));
      spent += options_.costs.publish;
      wake_one(rank);
      if (node(rank).engine.wants_surplus()) look_soon(rank);
    }
    return spent;
  }

  // Own deque, newest first; then what arrived; then the siblings' oldest.
  Nanoseconds find_bag(Node& home, int index) {
    auto& worker = home.workers[static_cast<std::size_t>(index)];
    if (!worker.deque.empty()) {
      worker.bag = std::move(worker.deque.back());
      worker.deque.pop_back();
      return 0;
    }
    if (!home.arrived.empty()) {
      worker.bag = std::move(home.arrived.front());
      home.arrived.pop_front();
      return options_.costs.local_steal;
    }
    for (int i = 1; i < options_.workers; ++i) {
      auto& victim = home.workers[static_cast<std::size_t>((index + i) % options_.workers)];
      if (victim.deque.empty()) continue;
      worker.bag = std::move(victim.deque.front());
      victim.deque.pop_front();
      return options_.costs.local_steal;
    }
    return 0;
  }

  void wait(int rank, typename Node::Worker& worker) {
    worker.waiting = true;
    look_soon(rank);
  }

  void wake_one(int rank) {
    auto& workers = node(rank).workers;
    for (std::size_t i = 0; i < workers.size(); ++i) {
      if (!workers[i].waiting) continue;
      workers[i].waiting = false;
      queue_.schedule(options_.costs.wake_up, {Event::step, rank, static_cast<int>(i)});
      return;
    }
  }

  // ---- communication threads ----

  void look_soon(int rank) {
    Node& home = node(rank);
    if (home.look_due || home.engine.done()) return;
    home.look_due = true;
    queue_.schedule(home.local_state().idle ? options_.costs.idle_pick_up : options_.costs.pick_up,
                    {Event::look, rank, 0});
  }

  // All that has arrived, then the node itself; as CommunicationThread does.
  void look_around(int rank) {
    Node& home = node(rank);
    if (home.engine.done()) return;
    for (const int slot : std::exchange(home.inbox, {})) {
      Parcel parcel = std::move(parcels_[static_cast<std::size_t>(slot)]);
      free_slots_.push_back(slot);
      --under_way_;
      receive(rank, parcel);
    }
    const bool was_decided = home.engine.decided();
    home.engine.handle_local(home.local_state(), actions_);
    perform(rank);
    if (!was_decided && home.engine.decided() && home.engine.outcome() == RunOutcome::success) {
      check_nothing_left();
    }
    if (home.engine.done()) ++done_;
  }

  void receive(int rank, Parcel& parcel) {
    Node& home = node(rank);
    loot_under_way_ -= tasks_in(parcel.loot);
    if (!home.engine.decided()) {
      for (Bag& bag : parcel.loot) {
        home.arrived.push_back(std::move(bag));
        wake_one(rank);
      }
    }
    home.engine.handle_message(parcel.from, parcel.message, home.local_state(), actions_);
    perform(rank);
  }

  void befall(int rank, RunOutcome outcome) {
    Node& home = node(rank);
    if (home.engine.done()) return;
    home.engine.report(outcome);
    if (outcome == RunOutcome::failed) home.failed = true;
    look_soon(rank);
  }

  void perform(int rank) {
    Node& home = node(rank);
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      const Action action = actions_[i];
      if (const auto* send = std::get_if<Send>(&action)) {
        deliver(rank, send->to, send->message, {});
      } else if (const auto* give = std::get_if<Give>(&action)) {
        auto bags = home.take(give->chunks);
        if (bags.empty()) {
          home.engine.nothing_to_give(*give, home.local_state(), actions_);
        } else {
          deliver(rank, give->to, give->message, std::move(bags));
        }
      }
      // AskToPublish: simulated quanta are short, and a worker publishes after each.
    }
    actions_.clear();
  }

  void deliver(int from, int to, const Message& message, std::vector<Bag> loot) {
    const std::uint64_t tasks = tasks_in(loot);
    loot_under_way_ += tasks;
    ++under_way_;
    if (free_slots_.empty()) {
      free_slots_.push_back(static_cast<int>(parcels_.size()));
      parcels_.emplace_back();
    }
    const int slot = free_slots_.back();
    free_slots_.pop_back();
    parcels_[static_cast<std::size_t>(slot)] = Parcel{from, message, std::move(loot)};
    queue_.schedule(network_.delay(from, to, queue_.now(), tasks), {Event::arrival, to, slot});
  }

  static std::uint64_t tasks_in(const std::vector<Bag>& bags) {
    std::uint64_t sum = 0;
    for (const Bag& bag : bags) sum += bag.size();
    return sum;
  }

  // ---- checks and results ----

  void check_nothing_left() {
    BELAY_CHECK(loot_under_way_ == 0, loot_under_way_, options_.seed);
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
      BELAY_CHECK(nodes_[rank].tasks_held() == 0, rank, nodes_[rank].tasks_held(), options_.seed);
    }
  }

  SimulationOutcome<Result> outcome() {
    Engine& root = nodes_.front().engine;
    SimulationOutcome<Result> outcome{root.outcome(),
                                      root.failed_rank(),
                                      problem_->identity(),
                                      0,
                                      queue_.now(),
                                      queue_.processed(),
                                      {}};
    for (Node& home : nodes_) {
      for (auto& worker : home.workers) {
        outcome.tasks += worker.tasks;
        P::reduce(outcome.result, std::move(worker.result));
      }
      outcome.nodes.push_back(home.engine.statistics());
    }
    return outcome;
  }

  const P* problem_;
  SimulationOptions options_;
  Network network_;
  EventQueue<Event> queue_;
  std::vector<Node> nodes_;
  std::vector<Parcel> parcels_;  // messages sent and not yet handled, by slot
  std::vector<int> free_slots_;
  Actions actions_;
  std::atomic<bool> never_{false};  // simulated workers are not called back from a quantum
  int done_ = 0;
  std::uint64_t under_way_ = 0;       // messages sent and not yet handled
  std::uint64_t loot_under_way_ = 0;  // tasks in them
};

}  // namespace belay::sim
