// Workers: what the workers of all simulated nodes do: process their private bags, publish
// surplus, look for chunks at home, wait.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "belay/core/problem.hpp"
#include "belay/core/quantum.hpp"
#include "belay/core/share.hpp"
#include "belay/inter/sim/cluster.hpp"

namespace belay::sim {

template <Problem P>
class Workers {
 public:
  Workers(const P& problem, Cluster<P>& cluster) : problem_(&problem), cluster_(&cluster) {}

  // The next step of a worker that is awake: one quantum, or it goes to wait.
  void step(int rank, int index) {
    auto& home = cluster_->node(rank);
    Worker& worker = home.worker(index);
    worker.waiting = false;
    if (home.engine.decided() || home.failed) {
      wait(rank, worker);
      return;
    }
    Nanoseconds spent = publish(rank, worker);
    if (worker.bag.size() == 0) spent += find_bag(rank, index);
    if (worker.bag.size() == 0) {
      wait(rank, worker);
      return;
    }
    spent += publish(rank, worker);
    spent += work(rank, worker);
    cluster_->schedule(spent * home.slowness, {Event::step, rank, index});
  }

  // All workers of a node take their chunks back, as they may between a communication thread's
  // look at a deque and its steal. No worker whose deque shows a chunk waits.
  void take_back(int rank) {
    for (Worker& worker : cluster_->node(rank).workers) {
      while (!worker.deque.empty()) {
        auto chunk = SimulatedNode<P>::pop_back(worker.deque);
        cluster_->tell(&Observer::handle_held, rank, chunk.id);
        problem_->merge(worker.bag, std::move(chunk.bag));
      }
    }
  }

  // When the last quantum began that did a task.
  [[nodiscard]] Nanoseconds last_task() const noexcept { return last_task_; }

 private:
  using Worker = typename SimulatedNode<P>::Worker;

  Nanoseconds publish(int rank, Worker& worker) {
    Nanoseconds spent = 0;
    while (worker.deque.size() < options().chunks_shown) {
      const Share share = options().protocol.steal_half ? Share::half() : Share::tasks(1);
      auto part = problem_->split(worker.bag, share);
      if (part.size() == 0) break;
      worker.deque.push_back(cluster_->chunk_of(std::move(part)));
      cluster_->tell(&Observer::handle_published, rank, worker.deque.back().id);
      spent += options().costs.publish;
      cluster_->wake_one(rank);
      if (cluster_->node(rank).engine.wants_surplus()) cluster_->look_soon(rank);
    }
    return spent;
  }

  Nanoseconds find_bag(int rank, int index) {
    Worker& worker = cluster_->node(rank).worker(index);
    const bool own = !worker.deque.empty();
    auto chunk = cluster_->node(rank).find_chunk(index);
    if (!chunk) return 0;
    cluster_->tell(&Observer::handle_held, rank, chunk->id);
    worker.bag = std::move(chunk->bag);
    return own ? 0 : options().costs.local_steal;
  }

  Nanoseconds work(int rank, Worker& worker) {
    Quantum quantum(never_, options().quantum);
    const std::size_t before = worker.bag.size();
    detail::process(*problem_, worker.bag, worker.local, worker.result, quantum);
    const std::uint64_t done = quantum.taken();
    worker.tasks += done;
    last_task_ = cluster_->queue.now();
    cluster_->tell(&Observer::handle_worked, rank, done, worker.bag.size() + done - before);
    return static_cast<Nanoseconds>(done) * options().costs.task;
  }

  void wait(int rank, Worker& worker) {
    worker.waiting = true;
    cluster_->look_soon(rank);
  }

  [[nodiscard]] const SimulationOptions& options() const { return cluster_->options; }

  const P* problem_;
  Cluster<P>* cluster_;
  std::atomic<bool> never_{false};  // simulated workers are not called back from a quantum
  Nanoseconds last_task_ = 0;
};

}  // namespace belay::sim
