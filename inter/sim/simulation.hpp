// Simulation: a cluster in virtual time that runs a real problem under the real protocol.
//
// Nodes, workers and the network are simulated; every decision about victims, answers,
// lifelines, prefetch and the end is made by the engines that also run under MPI. The whole is
// deterministic from its seed. What must hold is checked by observers (checks/); run() itself
// throws std::logic_error when the end does not come within the bound on events.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "belay/core/errors.hpp"
#include "belay/core/problem.hpp"
#include "belay/inter/sim/cluster.hpp"
#include "belay/inter/sim/communication_threads.hpp"
#include "belay/inter/sim/simulation_options.hpp"
#include "belay/inter/sim/workers.hpp"

namespace belay::sim {

template <Problem P>
class Simulation {
 public:
  using Bag = typename P::Bag;
  using Result = typename P::Result;

  Simulation(const P& problem, const SimulationOptions& options)
      : problem_(&problem),
        cluster_(problem, options),
        workers_(problem, cluster_),
        threads_(cluster_, workers_) {}
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // initial: the bag that rank 0 starts with. Once.
  SimulationOutcome<Result> run(Bag initial) {
    std::vector<Bag> bags;
    bags.push_back(std::move(initial));
    return run_on_each_rank(std::move(bags));
  }

  // initial: the bags that the ranks start with; the ranks beyond start with none. Once.
  SimulationOutcome<Result> run_on_each_rank(std::vector<Bag> initial) {
    for (std::size_t rank = 0; rank < initial.size(); ++rank) {
      if (initial[rank].size() > 0) begin_with(static_cast<int>(rank), std::move(initial[rank]));
    }
    const SimulationOptions& options = cluster_.options;
    for (int rank = 0; rank < options.nodes; ++rank) {
      for (int worker = 0; worker < options.workers; ++worker) {
        cluster_.step_by(0, rank, worker);
      }
      cluster_.schedule(0, {Event::periodic_look, rank, 0});
    }
    for (std::size_t i = 0; i < options.mishaps.size(); ++i) {
      const auto& mishap = options.mishaps[i];
      cluster_.schedule(mishap.time, {Event::mishap, mishap.node, static_cast<int>(i)});
    }
    while (!threads_.all_done()) {
      BELAY_CHECK(!cluster_.queue.empty(), options.seed);
      BELAY_CHECK(cluster_.queue.processed() < options.most_events, options.most_events,
                  options.seed);
      handle(cluster_.queue.next());
    }
    return outcome();
  }

 private:
  void begin_with(int rank, Bag bag) {
    auto chunk = cluster_.chunk_of(std::move(bag));
    cluster_.tell(&Observer::handle_initial_work, rank, chunk.id, chunk.bag.size());
    auto& home = cluster_.node(rank);
    home.tasks += tasks_held(*problem_, chunk.bag);
    home.arrived.push_back(std::move(chunk));
  }

  void handle(const Event& event) {
    auto& home = cluster_.node(event.node);
    switch (event.kind) {
      case Event::step:
        workers_.step(event.node, event.index);
        return;
      case Event::look:
        if (home.look_at != cluster_.queue.now()) return;
        home.look_at = kNever;
        look(event.node);
        return;
      case Event::periodic_look:
        look(event.node);
        if (home.done) return;
        cluster_.schedule(cluster_.options.costs.look_around * home.slowness, event);
        return;
      case Event::arrival:
        threads_.arrive(event.node, event.index);
        return;
      case Event::mishap: {
        const auto which = static_cast<std::size_t>(event.index);
        threads_.befall(event.node, cluster_.options.mishaps[which].outcome);
        return;
      }
    }
  }

  // A look that was set before the communication thread became busy waits until it is not.
  void look(int rank) {
    if (cluster_.queue.now() < cluster_.node(rank).busy_until) {
      cluster_.look_when_free(rank);
    } else {
      threads_.look_around(rank);
    }
  }

  SimulationOutcome<Result> outcome() {
    const Engine& root = cluster_.nodes.front().engine;
    SimulationOutcome<Result> outcome{{.outcome = root.outcome(),
                                       .failed_rank = root.failed_rank(),
                                       .time = cluster_.queue.now(),
                                       .last_task = workers_.last_task(),
                                       .decided = threads_.decided(),
                                       .events = cluster_.queue.processed()},
                                      problem_->identity()};
    for (auto& home : cluster_.nodes) {
      outcome.tasks_left += home.tasks;
      for (auto& worker : home.workers) {
        outcome.tasks += worker.tasks;
        outcome.tasks_of_workers.push_back(worker.tasks);
        P::reduce(outcome.result, std::move(worker.result));
      }
      outcome.nodes.push_back(home.engine.steals());
    }
    return outcome;
  }

  const P* problem_;
  Cluster<P> cluster_;
  Workers<P> workers_;
  CommunicationThreads<P> threads_;
};

}  // namespace belay::sim
