// SimulatedNode: the state of one node in virtual time: workers with private bags, deques, and
// the very protocol engine that runs under MPI. Simulation moves it.
//
// How many workers are in which state and how many chunks their deques show is kept in counters,
// since both are asked for at every step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "belay/core/problem.hpp"
#include "belay/core/thresholds.hpp"
#include "belay/inter/protocol/engine.hpp"
#include "belay/inter/sim/envelope.hpp"
#include "belay/inter/sim/observer.hpp"
#include "belay/inter/sim/quanta.hpp"
#include "belay/inter/sim/simulation_options.hpp"

namespace belay::sim {

inline constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

// A bag on a deque.
template <class Bag>
struct Chunk {
  ChunkId id;
  Bag bag;
};

template <Problem P>
struct SimulatedNode {
  using Bag = typename P::Bag;
  // A vector and no std::deque, which takes half a KiB even when empty; few chunks are shown.
  using Chunks = std::vector<Chunk<Bag>>;

  struct Worker {
    Bag bag;
    Chunks deque;  // owner at the back, thieves at the front
    LocalOf<P> local;
    typename P::Result result;
    std::uint64_t tasks = 0;

    // Computing: its bag is as it was at this task boundary. Stealing: when it will wait.
    Nanoseconds since = 0;
    std::uint64_t planned = 0;       // tasks that it does from then on before its next step
    Nanoseconds step_at = kNever;    // when that is due
    Nanoseconds quantum_length = 0;  // as it has grown
    Nanoseconds quantum_end = 0;     // or a multiple of the length later
    Nanoseconds quiet_since = 0;     // it has not stolen, been robbed or beckoned since
    std::uint16_t victim = 0;        // of the last steal that succeeded
    WorkerState state = WorkerState::computing;
    int times_short = kTimesShort;  // that in a row it had nothing to show
    bool refills = false;           // its deque shows too little since it took a chunk back
    bool attention = false;         // somebody wants it back from its quantum
    bool asked = false;             // to publish, since its deque last showed a chunk
    bool called = false;            // to a chunk that appeared, while it had none
  };

  // protocol: of this rank.
  SimulatedNode(const P& problem, const SimulationOptions& options, const ProtocolOptions& protocol)
      : engine(protocol),
        most_counted(options.chunks_shown),
        slowness(slowness_of(options, protocol.rank)),
        quanta(options, slowness) {
    const int count = options.workers;
    workers.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      workers.push_back(
          Worker{problem.empty_bag(), {}, detail::make_local(problem), problem.identity()});
      workers.back().victim = static_cast<std::uint16_t>(count);
    }
    in_state[static_cast<std::size_t>(WorkerState::computing)] = count;
  }

  Worker& worker(int index) { return workers[static_cast<std::size_t>(index)]; }

  [[nodiscard]] int count(WorkerState state) const {
    return in_state[static_cast<std::size_t>(state)];
  }
  // Workers that found nothing at home.
  [[nodiscard]] int hungry() const {
    return count(WorkerState::stealing) + count(WorkerState::waiting);
  }
  // Would somebody take a chunk as soon as there is one?
  [[nodiscard]] bool somebody_waits() const { return hungry() > 0 || engine.wants_surplus(); }

  [[nodiscard]] LocalState local_state() const {
    LocalState state;
    state.surplus = surplus;
    state.shown = shown;
    state.arrived = static_cast<std::uint32_t>(arrived.size());
    state.tasks = tasks;
    state.few = few;
    state.times_few = times_few;
    state.idle = arrived.empty() && count(WorkerState::waiting) == static_cast<int>(workers.size());
    state.hungry = hungry() > 0 && surplus == 0 && arrived.empty();
    return state;
  }

  // It comes to have few tasks, or to have more. Where it does not count them there are never few.
  [[nodiscard]] bool few_changes() const {
    return few > 0 && belay::few_changes(has_few, tasks, few);
  }
  // It does not come to have few before so many more tasks are done, or else is likely not to come
  // to have more.
  [[nodiscard]] std::uint64_t tasks_until_few_change() const {
    if (few == 0) return std::numeric_limits<std::uint32_t>::max();  // never
    const std::uint64_t bound = few_bound(has_few, few);
    return bound > tasks ? bound - tasks : tasks - bound;
  }

  void set_called(Worker& worker, bool is_called) {
    called += static_cast<int>(is_called) - static_cast<int>(worker.called);
    worker.called = is_called;
  }

  void push(Worker& owner, Chunk<Bag> chunk) {
    owner.deque.push_back(std::move(chunk));
    ++shown;
    if (owner.deque.size() <= most_counted) ++surplus;
  }

  // The owner's newest chunk, if any.
  std::optional<Chunk<Bag>> take_back(Worker& owner) {
    if (owner.deque.empty()) return std::nullopt;
    std::optional<Chunk<Bag>> chunk(std::move(owner.deque.back()));
    owner.deque.pop_back();
    count_out(owner);
    return chunk;
  }

  // Whose oldest chunk worker `index`, whose deque is empty, steals at home, beginning with whom it
  // robbed last; the number of workers stands for the communication thread.
  std::optional<std::size_t> find_victim(int index) {
    if (surplus == 0 && arrived.empty()) return std::nullopt;
    const std::size_t posts = workers.size() + 1;
    auto& last = worker(index).victim;
    for (std::size_t i = 0; i < posts; ++i) {
      const std::size_t from = (last + i) % posts;
      if (from == workers.size() ? arrived.empty() : workers[from].deque.empty()) continue;
      last = static_cast<std::uint16_t>(from);
      return from;
    }
    return std::nullopt;
  }
  Chunk<Bag> steal(std::size_t victim) {
    if (victim == workers.size()) return pop_front(arrived);
    return steal(workers[victim]);
  }

  // Up to `count` chunks from the workers' deques, the fullest first.
  Chunks take(std::uint32_t count) {
    Chunks taken;
    while (taken.size() < count && surplus > 0) {
      Worker* fullest = &workers.front();
      for (Worker& worker : workers) {
        if (worker.deque.size() > fullest->deque.size()) fullest = &worker;
      }
      taken.push_back(steal(*fullest));
    }
    return taken;
  }

  Chunk<Bag> steal(Worker& victim) {
    Chunk<Bag> chunk = pop_front(victim.deque);
    count_out(victim);
    return chunk;
  }

  // A chunk has left this worker's deque.
  void count_out(const Worker& owner) {
    --shown;
    if (owner.deque.size() < most_counted) --surplus;
  }

  static Chunk<Bag> pop_front(Chunks& deque) {
    Chunk<Bag> chunk = std::move(deque.front());
    deque.erase(deque.begin());
    return chunk;
  }

  static std::uint32_t slowness_of(const SimulationOptions& options, int rank) {
    const auto at = static_cast<std::size_t>(rank);
    return at < options.slowness.size() ? options.slowness[at] : 1;
  }

  Engine engine;
  std::vector<Worker> workers;
  Chunks arrived;          // the communication thread's deque
  std::vector<int> inbox;  // slots of messages that have arrived
  std::array<int, kWorkerStates> in_state{};
  std::size_t most_counted;  // as surplus, of the chunks on a deque
  std::uint32_t slowness;
  Quanta quanta;
  std::uint32_t surplus = 0;     // as intra/node.hpp counts it
  std::uint32_t shown = 0;       // and all of them
  std::uint64_t tasks = 0;       // in all bags, as tasks_held counts them
  std::uint64_t few = 0;         // tasks, of so many workers
  std::uint64_t times_few = 0;   // how often it came to have fewer, after twice as many
  bool has_few = true;           // as the last worker found that ended a quantum
  int called = 0;                // workers that are
  std::size_t charged = 0;       // which worker last gave its time to the communication thread
  Nanoseconds charged_at = 0;    // and when
  Nanoseconds look_at = kNever;  // a look of the communication thread is due
  Nanoseconds busy_until = 0;    // the communication thread is, with what it found
  bool failed = false;
  bool told_decided = false;  // its observers know
  bool told_done = false;
  bool done = false;  // the communication thread looks no more
};

}  // namespace belay::sim
