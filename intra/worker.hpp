// Worker: a thread that processes tasks.
//
// It owns a private bag that nobody else ever touches. After each quantum, when its deque
// shows less than it should, it splits chunks off the bag and publishes them; of coarse tasks
// all but the next, since nobody gets at the private ones while that one runs. When the bag is
// empty it takes back its own newest chunk, steals the oldest one of another deque of the
// node, nearest first, starting where the last steal succeeded, and at last waits in the
// barrier. It never receives anything from the network.
//
// run() is called once, on the worker's own thread; result() and statistics() after it ended.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "belay/core/errors.hpp"
#include "belay/core/problem.hpp"
#include "belay/core/statistics.hpp"
#include "belay/intra/node_shared.hpp"
#include "belay/intra/quantum_length.hpp"

namespace belay {

template <Problem P>
class Worker {
 public:
  using Bag = typename P::Bag;
  using Result = typename P::Result;

  // victims: the other posts in the order in which to rob them.
  Worker(NodeShared<P>& node, std::size_t index, std::vector<std::size_t> victims)
      : node_(&node),
        index_(index),
        victims_(std::move(victims)),
        deque_(node.posts[index].deque),
        length_(node.options.quantum),
        // With nobody to steal there is nobody to publish for.
        chunks_shown_(node.options.workers > 1 || node.options.has_other_nodes
                          ? node.options.chunks_shown
                          : 0),
        watches_(node.options.network_calls != nullptr) {}

  // Works until the run ends. Exceptions from user code fail the node; the worker then waits
  // for the end like an idle one.
  void run() noexcept {
    try {
      LocalOf<P> local = detail::make_local(node_->problem);
      bag_.emplace(node_->problem.empty_bag());
      result_.emplace(node_->problem.identity());
      do {
        work_off(local);
      } while (find_work());
      return;
    } catch (...) {
      node_->fail(describe_current_exception());
    }
    wait([] { return false; });
  }

  // Empty if the worker failed before it began.
  [[nodiscard]] std::optional<Result>& result() noexcept { return result_; }
  [[nodiscard]] const WorkerStatistics& statistics() const noexcept { return statistics_; }

 private:
  using Deque = ChaseLevDeque<Chunk<Bag>>;
  using Clock = std::chrono::steady_clock;

  // How often an unlucky thief looks again before it waits: some tens of microseconds, about
  // what a sleep and a wake cost.
  static constexpr int kSpins = 256;
  // A busy worker with too little to share is asked this much more rarely than it is robbed.
  static constexpr int kSpinsPerBeckon = 32;

  // Halves of halves of any bag, but not a chunk for each task where a share is one task. With 16
  // workers, each with ten tasks of 100 ms, it makes 10.0 of 11.0 task lengths.
  static constexpr std::int64_t kShownIfCoarse = 32;

  // Processes the private bag until it is empty or the run has ended.
  void work_off(LocalOf<P>& local) {
    respond();
    publish();
    while (bag_->size() != 0 && !node_->barrier.ended()) {
      Quantum quantum(node_->posts[index_].attention, next_quantum());
      const auto start = length_.adaptive() ? Clock::now() : Clock::time_point();
      detail::process(node_->problem, *bag_, local, *result_, quantum);
      if (length_.adaptive() || watches_) {
        const auto now = Clock::now();
        length_.learn(quantum.taken(), now - start, deque_.size() >= chunks_shown_);
        if (watches_)
          node_->watch_network(std::chrono::nanoseconds(now.time_since_epoch()).count());
      }
      statistics_.tasks += quantum.taken();
      ++statistics_.quanta;
      respond();
      publish();
    }
  }

  // One task while somebody waits and the bag had too little to share: who waits raised the
  // flag already, and sleeps, so that nobody is going to raise it when the bag has grown.
  [[nodiscard]] std::uint32_t next_quantum() const {
    return node_->somebody_waits() && deque_.size() < chunks_shown_ ? 1 : length_.tasks();
  }

  // Lowers the flag; what it was raised for is looked at next.
  void respond() {
    auto& attention = node_->posts[index_].attention;
    if (attention.load(std::memory_order_relaxed)) {
      // [worker.respond] seq_cst; pairs with [worker.end] and [worker.raised]: before the look
      // for who waits ([worker.hear]).
      attention.exchange(false, std::memory_order_seq_cst);
    }
  }

  void publish() {
    const auto most = length_.coarse() && chunks_shown_ > 0
                          ? std::max(chunks_shown_, kShownIfCoarse)
                          : chunks_shown_;
    for (auto shown = deque_.size(); shown < most; ++shown) {
      Bag part = node_->problem.split(*bag_, node_->options.share);
      if (part.size() == 0) break;
      deque_.push(make_chunk(std::move(part)));
      ++statistics_.chunks_published;
      node_->chunk_appeared();
    }
    if (node_->options.rings_when_short) ring_when_short();
  }

  // What is left in the bag cannot be shared, and nothing is shown: this worker will soon need
  // what others have. Said once each time that it comes to this.
  void ring_when_short() {
    const bool is_short = deque_.size() == 0;
    if (is_short && !was_short_) node_->doorbell.ring();
    was_short_ = is_short;
  }

  // Finds a bag; false: the run has ended.
  bool find_work() {
    if (node_->barrier.ended()) return false;
    if (take_back() || steal_round(false)) return true;
    const Hunger hunger(*node_);
    while (true) {
      // At least one round that beckons, after the hunger is known and before the sleep.
      const int rounds = node_->options.spin ? kSpins : 1;
      for (int i = 0; i < rounds; ++i) {
        if (node_->barrier.ended()) return false;
        if (steal_round(i % kSpinsPerBeckon == 0)) return true;
        pause();
      }
      ++statistics_.waits;
      if (!wait([this] { return node_->work_visible() || call_for_help(); })) return false;
      if (steal_round(true)) return true;
    }
  }

  template <class WorkVisible>
  bool wait(WorkVisible&& work_visible) {
    return node_->barrier.wait(
        std::forward<WorkVisible>(work_visible), [this] { node_->doorbell.ring(); },
        statistics_.sleeps);
  }

  // The chunk that the communication thread saw when it last looked for hunger may be gone to
  // somebody else by now, so it is told again before a sleep. Returns false.
  bool call_for_help() {
    if (node_->options.has_other_nodes) node_->doorbell.ring();
    return false;
  }

  bool take_back() {
    Chunk<Bag>* chunk = deque_.take();
    if (chunk == nullptr) return false;
    *bag_ = open_chunk<Bag>(chunk);
    ++statistics_.chunks_taken_back;
    return true;
  }

  // Tries each victim once; with `beckon`, asks those that show nothing to publish.
  bool steal_round(bool beckon) {
    for (std::size_t i = 0; i < victims_.size(); ++i) {
      const std::size_t at = (last_success_ + i) % victims_.size();
      const std::size_t victim = victims_[at];
      switch (steal_from(victim)) {
        case Steal::got:
          last_success_ = at;
          return true;
        case Steal::lost:
          break;
        case Steal::empty:
          if (beckon) node_->beckon(victim);
          break;
      }
    }
    return false;
  }

  Steal steal_from(std::size_t victim) {
    Chunk<Bag>* chunk = nullptr;
    const Steal outcome = typename Deque::Thief(node_->posts[victim].deque).steal(chunk);
    if (outcome == Steal::got) {
      *bag_ = open_chunk<Bag>(chunk);
      ++statistics_.chunks_stolen;
    } else if (outcome == Steal::lost) {
      ++statistics_.steals_lost;
    }
    return outcome;
  }

  static void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  // Counts this worker among the hungry while it lives, and tells the communication thread.
  class Hunger {
   public:
    explicit Hunger(NodeShared<P>& node) : node_(&node) {
      // [worker.hunger] seq_cst; pairs with [worker.hear]: before [worker.raised]. To the
      // communication thread [doorbell.ring], which follows, brings it.
      node_->hungry.fetch_add(1, std::memory_order_seq_cst);
      if (node_->options.has_other_nodes) node_->doorbell.ring();
    }
    ~Hunger() { node_->hungry.fetch_sub(1, std::memory_order_relaxed); }
    Hunger(const Hunger&) = delete;
    Hunger& operator=(const Hunger&) = delete;

   private:
    NodeShared<P>* node_;
  };

  NodeShared<P>* node_;
  std::size_t index_;
  std::vector<std::size_t> victims_;
  std::size_t last_success_ = 0;  // index into victims_
  typename Deque::Owner deque_;
  QuantumLength length_;
  std::int64_t chunks_shown_;
  bool was_short_ = true;
  bool watches_;            // the network, between quanta
  std::optional<Bag> bag_;  // made on the worker's thread
  std::optional<Result> result_;
  WorkerStatistics statistics_;
};

}  // namespace belay
