// Workers: what the workers of all simulated nodes do: process their private bags, publish
// surplus, look for chunks at home, wait. They are to a node what intra/worker.hpp is to it.
//
// A busy worker is advanced in one step up to what may come next: the earliest time at which all
// that it has but its oldest chunk can be done, or, if its deque shows too little, the end of a
// quantum at which it can publish, or of one after which the node has few tasks. Until then nobody
// can touch its bag, and its deque is not empty, whatever it takes back and publishes; so all that
// is done no sooner than at that step, or when its deque is robbed. Who interferes makes the step
// an earlier one: a hungry thread ends the quantum at the next task boundary; who robs the deque
// below what it should show has it refilled at the end of the quantum that goes on at that moment.
// So a simulation's cost grows with what workers do to each other, not with tasks.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "belay/core/errors.hpp"
#include "belay/core/problem.hpp"
#include "belay/core/quantum.hpp"
#include "belay/core/share.hpp"
#include "belay/core/thresholds.hpp"
#include "belay/inter/sim/cluster.hpp"
#include "belay/inter/sim/foresight.hpp"

namespace belay::sim {

template <Problem P>
class Workers {
 public:
  using Node = SimulatedNode<P>;

  Workers(const P& problem, Cluster<P>& cluster) : problem_(&problem), cluster_(&cluster) {}

  void step(int rank, int index) {
    Node& home = cluster_->node(rank);
    Worker& worker = home.worker(index);
    if (worker.step_at != now()) return;
    worker.step_at = kNever;
    if (home.engine.decided() || home.failed) {
      home.set_called(worker, false);
      wait(rank, worker);
    } else if (worker.state != WorkerState::computing) {
      look_again(rank, index);
    } else {
      settle(rank, worker);
      if (worker.planned > 0) {  // it was kept from its work meanwhile
        cluster_->step_by(worker.since + home.quanta.span(worker.planned), rank, index);
      } else if (worker.bag.size() > 0 && !worker.attention && now() < worker.quantum_end) {
        plan(rank, index);
      } else {
        end_quantum(rank, index);
      }
    }
  }

  // Somebody wants a worker back from its quantum.
  void beckon(int rank, int index) {
    Worker& worker = cluster_->node(rank).worker(index);
    worker.asked = true;
    if (worker.state != WorkerState::computing || worker.attention) return;
    worker.attention = true;
    worker.quiet_since = now();
    cut_short(rank, index, now());
  }
  void beckon_all(int rank) {
    for (int i = 0; i < options().workers; ++i) beckon(rank, i);
  }

  // Chunks were taken from the deque of worker `index`.
  void robbed(int rank, int index) {
    Node& home = cluster_->node(rank);
    Worker& worker = home.worker(index);
    if (worker.state != WorkerState::computing || worker.deque.size() >= home.quanta.shown())
      return;
    worker.quiet_since = now();
    worker.refills = false;
    if (worker.deque.empty() && home.count(WorkerState::stealing) > home.called) {
      beckon(rank, index);
      return;
    }
    plan_anew(rank, index);
  }

  // Brings the workers' deques to what they are at this time.
  void settle_all(int rank) {
    for (int i = 0; i < options().workers; ++i) settle_to_rob(rank, i);
  }

  // The communication thread needs this much time of a core. Where no worker waits, it gets half of
  // a busy one's at most, as from a fair scheduler.
  void charge(int rank, Nanoseconds time) {
    Node& home = cluster_->node(rank);
    time = std::min(time, (now() - home.charged_at) / 2);
    home.charged_at = now();
    if (home.count(WorkerState::waiting) > 0) return;
    for (std::size_t i = 0; i < home.workers.size(); ++i) {
      home.charged = (home.charged + 1) % home.workers.size();
      Worker& worker = home.workers[home.charged];
      if (worker.state != WorkerState::computing) continue;
      worker.since += time;
      return;
    }
  }

  // All workers of a node take their chunks back, as they may between a communication thread's
  // look at a deque and its steal. No worker whose deque shows a chunk waits.
  void take_back(int rank) {
    Node& home = cluster_->node(rank);
    for (Worker& worker : home.workers) {
      settle(rank, worker);
      while (auto chunk = home.take_back(worker)) {
        cluster_->tell(&Observer::handle_held, rank, chunk->id);
        problem_->merge(worker.bag, std::move(chunk->bag));
      }
    }
  }

  // More chunks than workers are merged, as in intra/node.hpp.
  void merge_beyond(std::size_t most, typename Node::Chunks& chunks) {
    for (std::size_t i = most; i < chunks.size(); ++i) {
      problem_->merge(chunks[i % most].bag, std::move(chunks[i].bag));
    }
    while (chunks.size() > most) chunks.pop_back();
  }

  // As the node counts them.
  [[nodiscard]] std::uint64_t tasks_of(const typename P::Bag& bag) const {
    return tasks_held(*problem_, bag);
  }

  // When the last task ended.
  [[nodiscard]] Nanoseconds last_task() const noexcept { return last_task_; }

 private:
  using Worker = typename Node::Worker;

  // Does the tasks that were planned and whose time has passed. Whenever its bag is empty, the
  // worker takes a chunk back, never the oldest; then, after each short quantum, it publishes until
  // its deque shows enough again.
  void settle(int rank, Worker& worker) {
    Node& home = cluster_->node(rank);
    while (worker.planned > 0) {
      const Nanoseconds passed = std::max<Nanoseconds>(0, now() - worker.since);
      auto left =
          std::min(worker.planned, static_cast<std::uint64_t>(passed / home.quanta.span(1)));
      if (worker.refills) left = std::min(left, home.quanta.tasks_in_short());
      if (left == 0) return;
      work(rank, worker, left);
      if (worker.bag.size() == 0 && worker.planned > 0) {
        BELAY_CHECK(worker.deque.size() > 1, rank);
        hold(rank, worker, *home.take_back(worker));
        worker.refills = true;
      }
      if (worker.refills) {
        worker.since += fill(rank, worker) * home.slowness;
        worker.refills = worker.deque.size() < home.quanta.shown();
      }
    }
  }

  // A thief comes: no sooner, and when it publishes, a worker whose bag has outgrown what its deque
  // shows makes that anew.
  void settle_to_rob(int rank, int index) {
    Node& home = cluster_->node(rank);
    Worker& worker = home.worker(index);
    if (worker.state != WorkerState::computing) return;
    settle(rank, worker);
    if (worker.attention) return;  // it publishes soon
    const Nanoseconds spent = show_half(rank, worker);
    if (spent == 0) return;
    worker.since += (spent + fill(rank, worker)) * home.slowness;
    worker.refills = false;
    plan_anew(rank, index);
  }

  // `count` tasks, or as many as its bag has.
  void work(int rank, Worker& worker, std::uint64_t count) {
    Node& home = cluster_->node(rank);
    while (count > 0 && worker.bag.size() > 0) {
      const std::uint64_t before = worker.bag.size();
      home.tasks -= tasks_of(worker.bag);
      const auto most = std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max());
      Quantum quantum(never_, static_cast<std::uint32_t>(most));
      detail::process(*problem_, worker.bag, worker.local, worker.result, quantum);
      home.tasks += tasks_of(worker.bag);
      const std::uint64_t done = quantum.taken();
      count -= done;
      worker.planned -= done;
      worker.tasks += done;
      worker.since += home.quanta.span(done);
      last_task_ = std::max(last_task_, worker.since);
      cluster_->tell(&Observer::handle_worked, rank, done, worker.bag.size() + done - before);
    }
  }

  void end_quantum(int rank, int index) {
    Node& home = cluster_->node(rank);
    Worker& worker = home.worker(index);
    worker.attention = false;
    worker.quantum_length =
        home.quanta.next_length(worker.quantum_length, worker.deque.size() >= home.quanta.shown());
    Nanoseconds spent = tell_of_few(rank, worker);
    spent += publish(rank, worker);
    if (worker.bag.size() == 0) {
      const auto took = find_bag(rank, index);
      if (!took) {
        starve(rank, index);
        return;
      }
      spent += *took + publish(rank, worker);
    }
    begin_quantum(rank, index, spent);
  }

  // Who finds that the node has come to have few tasks tells the communication thread.
  Nanoseconds tell_of_few(int rank, const Worker& worker) {
    Node& home = cluster_->node(rank);
    if (!rings_when_short()) return 0;
    home.few = home.quanta.few() * home.workers.size();
    if (!home.few_changes()) return 0;
    home.has_few = !home.has_few;
    if (!home.has_few) return 0;
    ++home.times_few;
    return ring(rank, worker);
  }

  void begin_quantum(int rank, int index, Nanoseconds spent) {
    Node& home = cluster_->node(rank);
    Worker& worker = home.worker(index);
    worker.since = std::max(now(), worker.since) + spent * home.slowness;
    worker.refills = false;
    std::uint64_t tasks = options().quantum;
    if (tasks == 0) {
      const bool is_short = worker.deque.size() < home.quanta.shown();
      tasks = is_short && home.somebody_waits() ? 1 : home.quanta.tasks_in(worker.quantum_length);
    }
    worker.quantum_end = worker.since + home.quanta.span(tasks);
    plan(rank, index);
  }

  // How far the worker gets before anything can happen that is not done to it.
  void plan(int rank, int index) {
    Node& home = cluster_->node(rank);
    Worker& worker = home.worker(index);
    std::uint64_t wanted = home.quanta.tasks_in(worker.quantum_end - worker.since);
    const bool is_free = options().quantum == 0 && worker.deque.size() >= home.quanta.shown();
    if (is_free) {
      wanted = std::max(wanted, tasks_ahead(home, worker));
    } else if (options().quantum == 0 && worker.times_short != 1) {  // else it rings after this one
      wanted = std::max(wanted, indivisible_tasks(*problem_, worker.bag));
    }
    std::uint64_t planned = look_ahead(rank, worker.bag, wanted);
    for (std::size_t i = worker.deque.size(); is_free && i > 1 && planned < wanted; --i) {
      if (home.few_changes()) break;
      planned += look_ahead(rank, worker.deque[i - 1].bag, wanted - planned);
    }
    worker.planned = std::clamp<std::uint64_t>(planned, 1, wanted);
    cluster_->step_by(worker.since + home.quanta.span(worker.planned), rank, index);
  }

  void plan_anew(int rank, int index) {
    Node& home = cluster_->node(rank);
    Worker& worker = home.worker(index);
    if (worker.planned == 0 || worker.attention) return;  // its step is due
    if (worker.quantum_end < now()) {
      const Nanoseconds length = std::max(worker.quantum_length, home.quanta.span(1));
      worker.quantum_end += (now() - worker.quantum_end + length - 1) / length * length;
    }
    plan(rank, index);
  }

  // Quantum by quantum, or in longer steps where it must take longer, up to one after which the
  // node has few tasks.
  std::uint64_t look_ahead(int rank, typename P::Bag& bag, std::uint64_t wanted) {
    Node& home = cluster_->node(rank);
    const std::uint64_t quantum = home.quanta.tasks_in_long();
    const std::uint64_t before = bag.size();
    std::uint64_t next = 0;
    std::uint64_t tasks = 0;
    do {
      next = std::min(wanted, next + std::max(quantum, home.tasks_until_few_change()));
      home.tasks -= tasks_of(bag);
      tasks = foresee(*problem_, bag, next);
      home.tasks += tasks_of(bag);
    } while (tasks == next && next < wanted && !home.few_changes());
    if (bag.size() > before) {
      cluster_->tell(&Observer::handle_worked, rank, std::uint64_t{0}, bag.size() - before);
    }
    return tasks;
  }

  // The further the longer the worker has been left alone, as what its bags have to draw in advance
  // is to be no more than what it has done since, and a part of what it still has, since that can
  // be stolen in large pieces alone.
  [[nodiscard]] std::uint64_t tasks_ahead(const Node& home, const Worker& worker) const {
    const Nanoseconds time = std::min(now() - worker.quiet_since, options().most_ahead);
    double tasks = expected_tasks(*problem_, worker.bag);
    for (const auto& chunk : worker.deque) tasks += expected_tasks(*problem_, chunk.bag);
    return std::min(home.quanta.tasks_in(time),
                    static_cast<std::uint64_t>(std::min(tasks / 4, 0x1p62)));
  }

  // The worker stops at the first task boundary at or after this time.
  void cut_short(int rank, int index, Nanoseconds time) {
    const Node& home = cluster_->node(rank);
    Worker& worker = cluster_->node(rank).worker(index);
    const Nanoseconds per_task = home.quanta.span(1);
    const Nanoseconds left = std::max<Nanoseconds>(0, time - worker.since);
    const auto tasks = static_cast<std::uint64_t>((left + per_task - 1) / per_task);
    worker.planned = std::min(worker.planned, tasks);
    cluster_->step_by(worker.since + home.quanta.span(worker.planned), rank, index);
  }

  Nanoseconds publish(int rank, Worker& worker) {
    return show_half(rank, worker) + fill(rank, worker);
  }
  Nanoseconds fill(int rank, Worker& worker) {
    Node& home = cluster_->node(rank);
    Nanoseconds spent = 0;
    bool rings = false;
    while (worker.deque.size() < home.quanta.shown()) {
      const bool asked = (worker.asked && worker.deque.empty()) ||
                         home.quanta.worth_splitting(likely_size(*problem_, worker.bag));
      if (!asked && !home.somebody_waits()) break;
      auto part = problem_->split(worker.bag, options().share);
      if (part.size() == 0) break;
      spent += push(rank, worker, std::move(part));
      rings = rings || home.engine.wants_surplus();
    }
    if (!worker.deque.empty()) worker.asked = false;
    // The communication thread is to ask abroad before work runs out.
    worker.times_short = worker.deque.empty() ? std::min(worker.times_short, kTimesShort) + 1 : 0;
    const bool is_short = worker.times_short == (home.quanta.coarse() ? 1 : kTimesShort);
    if (rings || (is_short && rings_when_short())) spent += ring(rank, worker);
    return spent;
  }

  // As intra/worker.hpp does.
  Nanoseconds show_half(int rank, Worker& worker) {
    Node& home = cluster_->node(rank);
    if (worker.deque.empty() || !options().share.is_half()) return 0;
    std::uint64_t all = 0;
    for (const auto& chunk : worker.deque) all += tasks_of(chunk.bag);
    const std::uint64_t kept = tasks_of(worker.bag);
    if (!home.quanta.worth_splitting(likely_size(*problem_, worker.bag)) ||
        !outgrown(tasks_of(worker.deque.front().bag), all, kept)) {
      return 0;
    }
    auto half = problem_->split(worker.bag, Share::tasks((kept - all) / 2));
    if (half.size() == 0) return 0;
    while (auto older = home.take_back(worker)) {
      cluster_->tell(&Observer::handle_held, rank, older->id);
      problem_->merge(older->bag, std::move(half));
      half = std::move(older->bag);
    }
    const Nanoseconds spent = push(rank, worker, std::move(half));
    return spent + (home.engine.wants_surplus() ? ring(rank, worker) : 0);
  }
  Nanoseconds push(int rank, Worker& worker, typename P::Bag bag) {
    cluster_->node(rank).push(worker, cluster_->chunk_of(std::move(bag)));
    cluster_->tell(&Observer::handle_published, rank, worker.deque.back().id);
    cluster_->call_one(rank);
    return options().costs.publish;
  }

  [[nodiscard]] bool rings_when_short() const {
    return options().nodes > 1 && options().protocol.prefetch != Prefetch::off;
  }

  // Wakes the communication thread; what that costs the worker.
  Nanoseconds ring(int rank, const Worker& worker) {
    const Node& home = cluster_->node(rank);
    const bool on_its_core = &worker == &home.workers[home.charged];
    const bool pays = cluster_->ring(rank) && options().costs.shares_cores && on_its_core;
    return pays ? options().costs.wake_up : 0;
  }

  // What finding a bag at home took; nothing if there is none.
  std::optional<Nanoseconds> find_bag(int rank, int index) {
    Node& home = cluster_->node(rank);
    Worker& worker = home.worker(index);
    if (auto chunk = home.take_back(worker)) {
      hold(rank, worker, std::move(*chunk));
      return 0;
    }
    worker.quiet_since = now();
    const auto victim = home.find_victim(index);
    if (!victim) return std::nullopt;
    const bool is_worker = *victim < home.workers.size();
    if (is_worker) settle_to_rob(rank, static_cast<int>(*victim));
    hold(rank, worker, home.steal(*victim));
    if (is_worker) robbed(rank, static_cast<int>(*victim));
    return options().costs.local_steal;
  }

  void hold(int rank, Worker& worker, Chunk<typename P::Bag> chunk) {
    cluster_->tell(&Observer::handle_held, rank, chunk.id);
    worker.bag = std::move(chunk.bag);
  }

  // Nothing at home: asks the others to publish and the communication thread to look abroad, and
  // looks again for a while.
  void starve(int rank, int index) {
    Node& home = cluster_->node(rank);
    Worker& worker = home.worker(index);
    cluster_->enter(rank, worker, WorkerState::stealing);
    for (int i = 0; i < options().workers; ++i) {
      if (home.worker(i).deque.empty()) beckon(rank, i);
    }
    cluster_->ring(rank);
    worker.since = now() + options().costs.spin * home.slowness;
    if (options().costs.spin == 0) {
      wait(rank, worker);
    } else {
      cluster_->step_by(worker.since, rank, index);
    }
  }

  void look_again(int rank, int index) {
    Node& home = cluster_->node(rank);
    Worker& worker = home.worker(index);
    home.set_called(worker, true);  // what appears while it looks is for others
    const auto took = find_bag(rank, index);
    home.set_called(worker, false);
    if (took) {
      cluster_->enter(rank, worker, WorkerState::computing);
      worker.since = now();
      const Nanoseconds spent = *took + publish(rank, worker);
      begin_quantum(rank, index, spent);
    } else if (worker.state == WorkerState::stealing && now() >= worker.since) {
      wait(rank, worker);
    } else {
      starve(rank, index);
    }
  }

  void wait(int rank, Worker& worker) {
    worker.planned = 0;  // of a node that failed it may have tasks left
    cluster_->enter(rank, worker, WorkerState::waiting);
    if (!cluster_->node(rank).engine.decided()) cluster_->ring(rank);
  }

  [[nodiscard]] Nanoseconds now() const { return cluster_->queue.now(); }
  [[nodiscard]] const SimulationOptions& options() const { return cluster_->options; }

  const P* problem_;
  Cluster<P>* cluster_;
  std::atomic<bool> never_{false};  // simulated workers are not called back from within a quantum
  Nanoseconds last_task_ = 0;
};

}  // namespace belay::sim
