// SimulatedNode: the state of one node in virtual time: workers with private bags, deques, and
// the very protocol engine that runs under MPI. Simulation moves it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "belay/core/problem.hpp"
#include "belay/core/share.hpp"
#include "belay/inter/protocol/engine.hpp"
#include "belay/inter/sim/envelope.hpp"

namespace belay::sim {

// A bag on a deque.
template <class Bag>
struct Chunk {
  ChunkId id;
  Bag bag;
};

template <Problem P>
struct SimulatedNode {
  using Bag = typename P::Bag;
  using Chunks = std::deque<Chunk<Bag>>;
  using Loot = std::vector<Chunk<Bag>>;

  struct Worker {
    Bag bag;
    Chunks deque;  // owner at the back, thieves at the front
    LocalOf<P> local;
    typename P::Result result;
    bool waiting = false;
    std::uint64_t tasks = 0;
  };

  SimulatedNode(const P& problem, const ProtocolOptions& options, int count) : engine(options) {
    for (int i = 0; i < count; ++i) {
      workers.push_back(Worker{
          problem.empty_bag(), {}, detail::make_local(problem), problem.identity(), false, 0});
    }
  }

  Worker& worker(int index) { return workers[static_cast<std::size_t>(index)]; }

  [[nodiscard]] std::uint32_t surplus() const {
    std::size_t sum = 0;
    for (const Worker& worker : workers) sum += worker.deque.size();
    return static_cast<std::uint32_t>(sum);
  }

  [[nodiscard]] int waiting() const {
    int count = 0;
    for (const Worker& worker : workers) count += worker.waiting ? 1 : 0;
    return count;
  }

  [[nodiscard]] LocalState local_state() const {
    LocalState state;
    state.surplus = surplus();
    state.idle = arrived.empty() && waiting() == static_cast<int>(workers.size());
    state.hungry = waiting() > 0 && state.surplus == 0 && arrived.empty();
    return state;
  }

  // What worker `index` finds at home: its own deque, newest first; what arrived; the oldest of
  // the others.
  std::optional<Chunk<Bag>> find_chunk(int index) {
    Chunks& own = worker(index).deque;
    if (!own.empty()) return pop_back(own);
    if (!arrived.empty()) return pop_front(arrived);
    const int count = static_cast<int>(workers.size());
    for (int i = 1; i < count; ++i) {
      Chunks& deque = worker((index + i) % count).deque;
      if (!deque.empty()) return pop_front(deque);
    }
    return std::nullopt;
  }

  // Up to `count` chunks from the workers' deques, the fullest first.
  Loot take(std::uint32_t count) {
    Loot taken;
    while (taken.size() < count) {
      Worker* fullest = nullptr;
      for (Worker& worker : workers) {
        if (!worker.deque.empty() &&
            (fullest == nullptr || worker.deque.size() > fullest->deque.size())) {
          fullest = &worker;
        }
      }
      if (fullest == nullptr) break;
      taken.push_back(pop_front(fullest->deque));
    }
    return taken;
  }

  static Chunk<Bag> pop_front(Chunks& deque) {
    Chunk<Bag> chunk = std::move(deque.front());
    deque.pop_front();
    return chunk;
  }
  static Chunk<Bag> pop_back(Chunks& deque) {
    Chunk<Bag> chunk = std::move(deque.back());
    deque.pop_back();
    return chunk;
  }

  Engine engine;
  std::vector<Worker> workers;
  Chunks arrived;          // the communication thread's deque
  std::vector<int> inbox;  // slots of messages that have arrived
  std::uint32_t slowness = 1;
  bool look_due = false;  // a look of the communication thread is scheduled
  bool failed = false;
  bool told_decided = false;  // its observers know
  bool told_done = false;
  bool done = false;  // the communication thread looks no more
};

}  // namespace belay::sim
