// Cluster: what simulated workers and simulated communication threads share: nodes, virtual
// time, and the ways in which they wake each other.
//
// A step or a look may be set for an earlier time than it was; the event of the later time then
// comes in vain. So of each worker and each communication thread one event counts, that whose time
// it remembers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "belay/core/problem.hpp"
#include "belay/core/rng.hpp"
#include "belay/inter/sim/event_queue.hpp"
#include "belay/inter/sim/simulated_node.hpp"
#include "belay/inter/sim/simulation_options.hpp"

namespace belay::sim {

struct Event {
  enum Kind : std::uint8_t {
    step,           // of worker `index`
    look,           // the communication thread looks around, for a reason
    periodic_look,  // ... because it does so once in a while
    arrival,        // the message in slot `index` arrives
    mishap,         // number `index` of the options
  };
  Kind kind;
  int node;
  int index;
};

template <Problem P>
class Cluster {
 public:
  using Worker = typename SimulatedNode<P>::Worker;

  Cluster(const P& problem, const SimulationOptions& simulation_options)
      : options(simulation_options),
        queue(options.shuffle_instants ? EventQueue<Event>(Rng(options.seed, kShuffleStream))
                                       : EventQueue<Event>()) {
    nodes.reserve(static_cast<std::size_t>(options.nodes));
    for (int rank = 0; rank < options.nodes; ++rank) {
      ProtocolOptions protocol = options.protocol;
      protocol.rank = rank;
      protocol.size = options.nodes;
      protocol.seed = options.seed;
      nodes.emplace_back(problem, options, protocol);
    }
  }

  SimulatedNode<P>& node(int rank) { return nodes[static_cast<std::size_t>(rank)]; }

  // tell(&Observer::handle_x, arguments...): the time goes first.
  template <class Member, class... Arguments>
  void tell(Member member, const Arguments&... arguments) {
    for (Observer* observer : options.observers) (observer->*member)(queue.now(), arguments...);
  }

  // A new id for a bag that is put on a deque.
  Chunk<typename P::Bag> chunk_of(typename P::Bag bag) { return {next_chunk_++, std::move(bag)}; }

  void schedule(Nanoseconds delay, const Event& event) {
    queue.schedule(on_grid(options.costs, queue.now() + delay) - queue.now(), event);
  }

  // Worker `index` takes its next step at this time at the latest.
  void step_by(Nanoseconds time, int rank, int index) {
    Worker& worker = node(rank).worker(index);
    time = on_grid(options.costs, std::max(time, queue.now()));
    if (time >= worker.step_at) return;
    worker.step_at = time;
    queue.schedule(time - queue.now(), {Event::step, rank, index});
  }

  void enter(int rank, Worker& worker, WorkerState state) {
    auto& home = node(rank);
    if (worker.state == state) return;
    --home.in_state[static_cast<std::size_t>(worker.state)];
    ++home.in_state[static_cast<std::size_t>(state)];
    tell(&Observer::handle_state, rank, worker.state, state);
    worker.state = state;
  }

  // Somebody at home has news for the communication thread; a message has. True if that wakes it: a
  // look that is going on or due by then comes anyway.
  bool ring(int rank) {
    const bool is_awake = queue.now() < node(rank).busy_until;
    return look_by(rank, options.costs.wake_up) && !is_awake;
  }
  void look_for_message(int rank) {
    look_by(rank, listens(node(rank)) ? options.costs.idle_pick_up : options.costs.pick_up);
  }
  // As soon as the communication thread is not busy any more.
  void look_when_free(int rank) { look_by(rank, 0); }

  // There is something to take for a worker that has nothing: one that still looks, or else
  // one that waits and has to be woken.
  void call_one(int rank) {
    auto& home = node(rank);
    if (home.called == home.hungry()) return;
    const Worker* best = nullptr;
    int found = 0;
    for (int i = 0; i < options.workers; ++i) {
      const Worker& worker = home.worker(i);
      if (worker.state == WorkerState::computing || worker.called) continue;
      if (best != nullptr && worker.state == WorkerState::waiting) continue;
      best = &worker;
      found = i;
      if (worker.state == WorkerState::stealing) break;
    }
    Worker& worker = home.worker(found);
    home.set_called(worker, true);
    const bool sleeps = worker.state == WorkerState::waiting;
    enter(rank, worker, WorkerState::stealing);
    worker.step_at = kNever;
    worker.since = kNever;  // finding nothing, it looks again for a while
    step_by(queue.now() + (sleeps ? options.costs.wake_up * home.slowness : 0), rank, found);
  }

  SimulationOptions options;
  EventQueue<Event> queue;
  std::vector<SimulatedNode<P>> nodes;

 private:
  // Does somebody look at the network all the time? A worker that looks for chunks does; so does
  // the communication thread of an idle node, and one that expects an answer while it has a core, a
  // waiting worker's or its own. (It has a waiting worker's if there are no more workers than
  // cores.)
  [[nodiscard]] bool listens(const SimulatedNode<P>& home) const {
    const bool has_core = home.count(WorkerState::waiting) > 0 || !options.costs.shares_cores;
    return home.local_state().idle || home.count(WorkerState::stealing) > 0 ||
           (has_core && home.engine.awaiting_answer());
  }

  // Of the seed, beside those of the engines, which are numbered by rank.
  static constexpr std::uint64_t kShuffleStream = ~std::uint64_t{0};

  // True if no look was due by then.
  bool look_by(int rank, Nanoseconds delay) {
    auto& home = node(rank);
    const Nanoseconds time =
        on_grid(options.costs, std::max(queue.now() + delay * home.slowness, home.busy_until));
    if (home.done || time >= home.look_at) return false;
    home.look_at = time;
    queue.schedule(time - queue.now(), {Event::look, rank, 0});
    return true;
  }

  ChunkId next_chunk_ = 0;
};

}  // namespace belay::sim
