// SimulatedNode: the state of one node in virtual time: workers with private bags, deques, and
// the very protocol engine that runs under MPI. Simulation moves it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "belay/core/problem.hpp"
#include "belay/inter/protocol/engine.hpp"

namespace belay::sim {

template <Problem P>
struct SimulatedNode {
  using Bag = typename P::Bag;

  struct Worker {
    Bag bag;
    std::deque<Bag> deque;  // owner at the back, thieves at the front
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

  // Up to `count` chunks from the workers' deques, the fullest first.
  std::vector<Bag> take(std::uint32_t count) {
    std::vector<Bag> bags;
    while (bags.size() < count) {
      Worker* fullest = nullptr;
      for (Worker& worker : workers) {
        if (!worker.deque.empty() &&
            (fullest == nullptr || worker.deque.size() > fullest->deque.size())) {
          fullest = &worker;
        }
      }
      if (fullest == nullptr) break;
      bags.push_back(std::move(fullest->deque.front()));
      fullest->deque.pop_front();
    }
    return bags;
  }

  [[nodiscard]] std::uint64_t tasks_held() const {
    std::uint64_t sum = 0;
    for (const Worker& worker : workers) {
      sum += worker.bag.size();
      for (const Bag& bag : worker.deque) sum += bag.size();
    }
    for (const Bag& bag : arrived) sum += bag.size();
    return sum;
  }

  Engine engine;
  std::vector<Worker> workers;
  std::deque<Bag> arrived;  // the communication thread's deque
  std::vector<int> inbox;   // slots of messages that have arrived
  bool look_due = false;    // a look of the communication thread is scheduled
  bool failed = false;
};

}  // namespace belay::sim
