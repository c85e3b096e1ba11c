// Worker: a thread that processes tasks.
//
// It owns a private bag that nobody else ever touches. After each quantum, when its deque
// shows less than it should, it splits chunks off the bag, if that is worth while or somebody
// asks, and publishes them; of coarse tasks all but the next, since nobody gets at the private
// ones while that one runs. When the bag has outgrown them, it makes them anew. When the bag is
// empty it takes back its own newest chunk, steals the oldest one of another deque of the node,
// nearest first, starting where the last steal succeeded, and at last waits in the barrier. It
// never receives anything from the network.
//
// run() is called once, on the worker's own thread; result() and add_statistics() after it ended.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "belay/core/errors.hpp"
#include "belay/core/problem.hpp"
#include "belay/core/share.hpp"
#include "belay/core/statistics.hpp"
#include "belay/core/thresholds.hpp"
#include "belay/core/timeline.hpp"
#include "belay/intra/clock.hpp"
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
        watches_(node.options.network_calls != nullptr),
        timeline_(node.options.start_ns, node.options.trace_events),
        tasks_stolen_(node.posts.size()) {}

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
      enter(ThreadState::idle);
      return;
    } catch (...) {
      node_->fail(describe_current_exception());
    }
    wait([] { return false; });
  }

  // Empty if the worker failed before it began.
  [[nodiscard]] std::optional<Result>& result() noexcept { return result_; }
  // What it counted so far; for its own thread, or after run().
  [[nodiscard]] const WorkerStatistics& statistics() const noexcept { return statistics_; }

  // Adds what this worker did until end_ns, by the node's clock, to its rank's statistics. Once.
  void add_statistics(std::int64_t end_ns, RankStatistics& rank) {
    timeline_.close(end_ns);
    statistics_.seconds = timeline_.story().total();
    rank.workers.push_back(statistics_);
    rank.life_story.add(timeline_.story());
    rank.tasks_stolen.insert(rank.tasks_stolen.end(), tasks_stolen_.begin(), tasks_stolen_.end());
    if (timeline_.traced()) rank.trace.threads.push_back(timeline_.take_trace());
  }

 private:
  using Deque = ChaseLevDeque<Chunk<Bag>>;

  // How often an unlucky thief looks again before it waits: some tens of microseconds, about
  // what a sleep and a wake cost.
  static constexpr int kSpins = 256;
  // A busy worker with too little to share is asked this much more rarely than it is robbed.
  static constexpr int kSpinsPerBeckon = 32;
  // An answer from abroad may come any moment. A look costs as much as some spins.
  static constexpr int kSpinsPerLook = 32;

  // Processes the private bag until it is empty or the run has ended.
  void work_off(LocalOf<P>& local) {
    read_clock();
    respond();
    publish();
    while (bag_->size() != 0 && !node_->barrier.ended()) {
      timeline_.enter(ThreadState::computing, clock_ns_);
      Quantum quantum(node_->posts[index_].attention, next_quantum());
      const auto had = static_cast<std::uint64_t>(bag_->size());
      detail::process(node_->problem, *bag_, local, *result_, quantum);
      const std::int64_t start_ns = clock_ns_;
      read_clock();
      count(quantum.taken());
      length_.learn(quantum.taken(), std::chrono::nanoseconds(clock_ns_ - start_ns),
                    deque_.size() >= chunks_shown_);
      if (node_->options.rings_when_short) count_in_node(had);
      if (watches_) watch_network();
      respond();
      publish();
    }
  }

  void count(std::uint32_t tasks) {
    statistics_.tasks += tasks;
    ++statistics_.quanta;
    if (tasks > 0) statistics_.last_task = seconds_between(node_->options.start_ns, clock_ns_);
    timeline_.count_tasks(tasks, clock_ns_);
    // Relaxed: a figure for who looks on.
    node_->posts[index_].tasks_done.store(statistics_.tasks, std::memory_order_relaxed);
  }

  // The bag had so many tasks before the quantum. Who finds that the node has come to have few
  // tells the communication thread, which asks ahead.
  void count_in_node(std::uint64_t had) {
    const std::uint64_t few = length_.few() * static_cast<std::uint64_t>(node_->options.workers);
    // Relaxed throughout: counts, after which nothing else is ordered. A change may be below
    // zero, which unsigned numbers add as well.
    if (node_->few.load(std::memory_order_relaxed) != few) {
      node_->few.store(few, std::memory_order_relaxed);
    }
    const std::uint64_t change = static_cast<std::uint64_t>(bag_->size()) - had;
    const std::uint64_t tasks = node_->tasks.fetch_add(change, std::memory_order_relaxed) + change;
    const bool had_few = node_->has_few.load(std::memory_order_relaxed);
    if (!few_changes(had_few, tasks, few)) return;
    const bool is_first = node_->has_few.exchange(!had_few, std::memory_order_relaxed) == had_few;
    if (had_few || !is_first) return;
    node_->times_few.fetch_add(1, std::memory_order_relaxed);
    node_->doorbell.ring();
  }

  // The clock is read once for each quantum and once more where something was published or the
  // network looked at. What that leaves out, a few ns, counts as computing.
  void read_clock() { clock_ns_ = now_ns(); }

  void enter(ThreadState state) {
    read_clock();
    timeline_.enter(state, clock_ns_);
  }

  void watch_network() {
    if (!node_->watch_is_due(clock_ns_)) return;
    timeline_.enter(ThreadState::probing, clock_ns_);
    node_->watch_network();
    read_clock();
  }

  // One task while somebody waits and the bag had too little to share: who waits raised the
  // flag already, and sleeps, so that nobody is going to raise it when the bag has grown.
  [[nodiscard]] std::uint32_t next_quantum() const {
    return node_->somebody_waits() && deque_.size() < chunks_shown_ ? 1 : length_.tasks();
  }

  // Lowers the flag; what it was raised for is looked at next. Who raised it may ask for others,
  // who do not wait here, and not again.
  void respond() {
    auto& attention = node_->posts[index_].attention;
    if (attention.load(std::memory_order_relaxed)) {
      // [worker.respond] seq_cst; pairs with [worker.end] and [worker.raised]: before the look
      // for who waits ([worker.hear]).
      attention.exchange(false, std::memory_order_seq_cst);
      asked_ = true;
    }
  }

  void publish() {
    const auto most = length_.coarse() && chunks_shown_ > 0
                          ? std::max(chunks_shown_, kShownIfCoarse)
                          : chunks_shown_;
    show_half();
    for (auto shown = deque_.size(); shown < most; ++shown) {
      const bool asked = (asked_ && shown == 0) || length_.worth_splitting(bag_->size());
      if (!asked && !node_->somebody_waits()) break;
      Bag part = node_->problem.split(*bag_, node_->options.share);
      if (part.size() == 0) break;
      push(std::move(part));
    }
    if (deque_.size() > 0) asked_ = false;
    if (node_->options.rings_when_short) ring_when_short();
  }

  // If the bag has outgrown what the deque shows, shows one chunk in place of all, and in it half
  // of what this worker has. The bag is split, never merged into or out of: half of its next task
  // may be done.
  void show_half() {
    const std::int64_t shown = deque_.size();
    const auto stolen = static_cast<std::ptrdiff_t>(shown_.size()) - shown;
    if (stolen > 0) shown_.erase(shown_.begin(), shown_.begin() + stolen);
    // Of what was there before it ran it does not know how large it is.
    if (shown == 0 || stolen < 0 || !node_->options.share.is_half()) return;
    const auto all = std::accumulate(shown_.begin(), shown_.end(), std::size_t{0});
    const std::size_t kept = bag_->size();
    if (!length_.worth_splitting(kept) || !outgrown(shown_.front(), all, kept)) return;
    Bag half = node_->problem.split(*bag_, Share::tasks((kept - all) / 2));
    if (half.size() == 0) return;
    while (std::optional<Bag> older = take()) {
      node_->problem.merge(*older, std::move(half));
      half = std::move(*older);
    }
    push(std::move(half));
  }

  void push(Bag bag) {
    timeline_.enter(ThreadState::distributing, clock_ns_);
    shown_.push_back(bag.size());
    deque_.push(make_chunk(std::move(bag)));
    ++statistics_.chunks_published;
    node_->chunk_appeared();
    read_clock();
  }

  // The newest of its own chunks, if any.
  std::optional<Bag> take() {
    Chunk<Bag>* chunk = deque_.take();
    if (chunk == nullptr) return std::nullopt;
    if (!shown_.empty()) shown_.pop_back();
    ++statistics_.chunks_taken_back;
    return open_chunk<Bag>(chunk);
  }

  // What is left in the bag cannot be shared or is not worth it, and nothing is shown: this worker
  // will soon need what others have. Said once each time that it comes to this; with fine tasks
  // only after it lasted a quantum, since a bag of one task with a large subtree can be shared
  // again soon.
  void ring_when_short() {
    times_short_ = deque_.size() == 0 ? std::min(times_short_, kTimesShort) + 1 : 0;
    if (times_short_ == (length_.coarse() ? 1 : kTimesShort)) node_->doorbell.ring();
  }

  // Finds a bag; false: the run has ended.
  bool find_work() {
    if (node_->barrier.ended()) return false;
    if (take_back()) return true;
    timeline_.enter(ThreadState::stealing, clock_ns_);
    if (!find_chunk_of_others()) return false;
    statistics_.searches.add(now_ns() - clock_ns_);
    return true;
  }

  // Steals one, waits for one; false: the run has ended.
  bool find_chunk_of_others() {
    if (steal_round(false)) return true;
    const Hunger hunger(*node_);
    while (true) {
      // At least one round that beckons, after the hunger is known and before the sleep.
      const int rounds = node_->options.spin ? kSpins : 1;
      for (int i = 0; i < rounds; ++i) {
        if (node_->barrier.ended()) return false;
        if (steal_round(i % kSpinsPerBeckon == 0)) return true;
        if (watches_ && (i + 1) % kSpinsPerLook == 0) node_->watch_network();
        pause();
      }
      ++statistics_.waits;
      if (!wait([this] { return node_->work_visible() || call_for_help(); })) return false;
      enter(ThreadState::stealing);
      if (steal_round(true)) return true;
    }
  }

  template <class WorkVisible>
  bool wait(WorkVisible&& work_visible) {
    enter(ThreadState::idle);
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
    std::optional<Bag> newest = take();
    if (newest) *bag_ = std::move(*newest);
    return newest.has_value();
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
      tasks_stolen_[victim] += bag_->size();
      if (timeline_.traced()) record_steal(victim);
    } else if (outcome == Steal::lost) {
      ++statistics_.steals_lost;
    }
    return outcome;
  }

  void record_steal(std::size_t victim) {
    timeline_.record({.at_ns = now_ns(),
                      .tasks = bag_->size(),
                      .peer = static_cast<std::int32_t>(victim),
                      .kind = TraceEvent::Kind::steal});
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
  // Tasks of the chunks that it pushed and did not take back, oldest first; of stolen ones some may
  // still be there.
  std::vector<std::size_t> shown_;
  QuantumLength length_;
  std::int64_t chunks_shown_;
  bool asked_ = false;             // to publish, since its deque last showed a chunk
  int times_short_ = kTimesShort;  // that in a row it had nothing to show, up to kTimesShort + 1
  bool watches_;                   // the network, between quanta and while it spins
  std::optional<Bag> bag_;         // made on the worker's thread
  std::optional<Result> result_;
  Timeline timeline_;
  std::int64_t clock_ns_ = 0;  // as last read
  WorkerStatistics statistics_;
  std::vector<std::uint64_t> tasks_stolen_;  // by whose deque they were on
};

}  // namespace belay
