// Cluster: what simulated workers and simulated communication threads share: nodes, virtual
// time, and the ways in which they wake each other.
#pragma once

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

template <Problem P>
class Cluster {
 public:
  Cluster(const P& problem, const SimulationOptions& simulation_options)
      : options(simulation_options),
        queue(options.shuffle_instants ? EventQueue<Event>(Rng(options.seed, kShuffleStream))
                                       : EventQueue<Event>()) {
    for (int rank = 0; rank < options.nodes; ++rank) {
      ProtocolOptions protocol = options.protocol;
      protocol.rank = rank;
      protocol.size = options.nodes;
      protocol.seed = options.seed;
      nodes.emplace_back(problem, protocol, options.workers);
      const auto at = static_cast<std::size_t>(rank);
      if (at < options.slowness.size()) nodes.back().slowness = options.slowness[at];
    }
  }

  SimulatedNode<P>& node(int rank) { return nodes[static_cast<std::size_t>(rank)]; }

  void schedule(Nanoseconds delay, const Event& event) {
    queue.schedule(on_grid(options.costs, delay), event);
  }

  // tell(&Observer::handle_x, arguments...): the time goes first.
  template <class Member, class... Arguments>
  void tell(Member member, const Arguments&... arguments) {
    for (Observer* observer : options.observers) (observer->*member)(queue.now(), arguments...);
  }

  // A new id for a bag that is put on a deque.
  Chunk<typename P::Bag> chunk_of(typename P::Bag bag) { return {next_chunk_++, std::move(bag)}; }

  // There is something for the communication thread to see.
  void look_soon(int rank) {
    auto& home = node(rank);
    if (home.look_due || home.done) return;
    home.look_due = true;
    const bool idle = home.local_state().idle;
    schedule((idle ? options.costs.idle_pick_up : options.costs.pick_up) * home.slowness,
             {Event::look, rank, 0});
  }

  // There is something for a waiting worker to take.
  void wake_one(int rank) {
    auto& home = node(rank);
    for (int i = 0; i < options.workers; ++i) {
      if (!home.worker(i).waiting) continue;
      home.worker(i).waiting = false;
      schedule(options.costs.wake_up * home.slowness, {Event::step, rank, i});
      return;
    }
  }

  SimulationOptions options;
  EventQueue<Event> queue;
  std::vector<SimulatedNode<P>> nodes;

 private:
  // Of the seed, beside those of the engines, which are numbered by rank.
  static constexpr std::uint64_t kShuffleStream = ~std::uint64_t{0};

  ChunkId next_chunk_ = 0;
};

}  // namespace belay::sim
