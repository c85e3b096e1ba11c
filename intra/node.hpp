// Node: the workers of one rank during one run, as the communication thread sees them.
//
// The communication thread makes the node, feeds it, asks how it fares, takes chunks for other
// nodes as one more thief, ends it, and collects its result. All members are for that thread
// alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "belay/intra/worker.hpp"

namespace belay {

template <Problem P>
class Node {
 public:
  using Bag = typename P::Bag;
  using Result = typename P::Result;

  Node(const P& problem, const NodeOptions& options)
      : shared_(problem, options), own_(shared_.communication_post().deque) {}

  // Starts the workers. on_start(i): runs first on worker i's thread, for binding it to a
  // core; robbing_order(i): the posts that worker i robs, in order. A thread that cannot be
  // started fails the node.
  void start(const std::function<void(int)>& on_start,
             const std::function<std::vector<std::size_t>(int)>& robbing_order) {
    const int count = shared_.options.workers;
    workers_.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      workers_.emplace_back(shared_, static_cast<std::size_t>(i), robbing_order(i));
    }
    try {
      for (int i = 0; i < count; ++i) {
        threads_.emplace_back([this, i, on_start] {
          on_start(i);
          workers_[static_cast<std::size_t>(i)].run();
        });
      }
    } catch (...) {
      shared_.fail("cannot start a worker thread: " + describe_current_exception());
    }
  }

  ~Node() {
    end();
    join();
  }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Pushes bags onto the communication thread's deque, where the workers find them: initial
  // work, and what arrived from other nodes. More bags than workers are merged, since no more
  // can start on them at once.
  void put(std::vector<Bag>&& bags) {
    const auto most = static_cast<std::size_t>(shared_.options.workers);
    for (std::size_t i = most; i < bags.size(); ++i) {
      shared_.problem.merge(bags[i % most], std::move(bags[i]));
    }
    for (std::size_t i = 0; i < std::min(bags.size(), most); ++i) {
      if (bags[i].size() == 0) continue;
      // Relaxed, as all of this counter: a worker finds the chunk, and counts it out, after this.
      shared_.tasks.fetch_add(static_cast<std::uint64_t>(bags[i].size()),
                              std::memory_order_relaxed);
      own_.push(make_chunk(std::move(bags[i])));
      shared_.chunk_appeared();
    }
  }

  // No worker holds a task and no deque a chunk. Safe as a verdict because only this thread
  // adds to its own deque, which is read first, and a worker leaves the barrier before it
  // touches any deque: a worker that took the last chunk away is not counted as waiting.
  [[nodiscard]] bool idle() const {
    return own_.size() == 0 && shared_.barrier.waiting() == shared_.barrier.workers();
  }

  // A worker found nothing at home, and there still is nothing.
  [[nodiscard]] bool hungry() {
    // Relaxed: see the worker's Hunger.
    return shared_.hungry.load(std::memory_order_relaxed) > 0 && !shared_.work_visible();
  }

  // Chunks that the workers' deques show. What arrived and was not yet worked on is not counted:
  // it does not go abroad again.
  [[nodiscard]] std::uint32_t shown() { return shown(std::numeric_limits<std::int64_t>::max()); }
  // The same, but of each deque as many as it should show at least: of coarse tasks it shows halves
  // of halves, and half of them all would be nearly all the work.
  [[nodiscard]] std::uint32_t surplus() { return shown(shared_.options.chunks_shown); }
  // Chunks that were put and that no worker has taken.
  [[nodiscard]] std::uint32_t arrived() const { return static_cast<std::uint32_t>(own_.size()); }

  // Tasks in all bags, those that run included, as each worker found its own when its last quantum
  // ended.
  [[nodiscard]] std::uint64_t tasks() const noexcept {
    return shared_.tasks.load(std::memory_order_relaxed);
  }
  // With fewer tasks than this the node will soon run out of work.
  [[nodiscard]] std::uint64_t few() const noexcept {
    return shared_.few.load(std::memory_order_relaxed);
  }
  // How often it came to have fewer, after it had twice as many.
  [[nodiscard]] std::uint64_t times_few() const noexcept {
    return shared_.times_few.load(std::memory_order_relaxed);
  }

  // Steals up to `count` chunks from the workers' deques, the fullest first.
  std::vector<Bag> take(std::uint32_t count) {
    std::vector<Bag> bags;
    while (bags.size() < count) {
      std::size_t fullest = 0;
      std::int64_t most = 0;
      for (std::size_t i = 0; i < workers_.size(); ++i) {
        if (const std::int64_t size = thief(i).size(); size > most) {
          most = size;
          fullest = i;
        }
      }
      if (most == 0) break;
      Chunk<Bag>* chunk = nullptr;
      if (thief(fullest).steal(chunk) != Steal::got) continue;
      bags.push_back(open_chunk<Bag>(chunk));
      shared_.tasks.fetch_sub(static_cast<std::uint64_t>(bags.back().size()),
                              std::memory_order_relaxed);
    }
    return bags;
  }

  // Makes busy workers publish at their next task boundary.
  void ask_to_publish() { shared_.beckon_all(); }

  // Have the doorbell rung at each chunk that appears, or not. Look at surplus() after it.
  void want_surplus(bool wanted) {
    // [node.want] seq_cst; pairs with [node.wanted] and [worker.hear]: before the look at the
    // deques, and before [worker.raised].
    shared_.surplus_wanted.store(wanted, std::memory_order_seq_cst);
  }

  // When busy workers, who ring if the network has something, last looked at it; a time of the
  // steady clock, in ns.
  [[nodiscard]] std::int64_t last_watch_ns() const noexcept {
    return shared_.next_watch_ns.load(std::memory_order_relaxed) - shared_.options.watch_ns;
  }

  [[nodiscard]] Doorbell& doorbell() noexcept { return shared_.doorbell; }

  // User code threw on the communication thread; workers report their own failures.
  void fail(std::string message) { shared_.fail(std::move(message)); }

  // The first failure on this node, if any. Ask after idle(): a worker that fails says so
  // before it counts as waiting.
  [[nodiscard]] std::optional<std::string> failure() {
    const std::lock_guard lock(shared_.failure_mutex);
    return shared_.failure;
  }

  // Ends the run: workers stop at the next task boundary.
  void end() { shared_.end(); }

  // After end(): returns when the workers' threads have ended.
  void join() {
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

  // After join(), if nothing failed: the workers' results combined.
  [[nodiscard]] Result result() {
    Result sum = std::move(*workers_.front().result());
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      P::reduce(sum, std::move(*workers_[i].result()));
    }
    return sum;
  }

  // After join(): the workers' part of this rank's statistics. Once.
  void add_statistics(std::int64_t end_ns, RankStatistics& rank) {
    for (auto& worker : workers_) worker.add_statistics(end_ns, rank);
  }

  [[nodiscard]] int workers() const noexcept { return shared_.options.workers; }
  // Until now, roughly, for who looks on.
  [[nodiscard]] std::uint64_t tasks_done() const {
    std::uint64_t sum = 0;
    for (const auto& post : shared_.posts) sum += post.tasks_done.load(std::memory_order_relaxed);
    return sum;
  }
  [[nodiscard]] int busy_workers() const {
    return shared_.options.workers - shared_.hungry.load(std::memory_order_relaxed);
  }
  // Those that do not wait; of the others' cores the communication thread may have one.
  [[nodiscard]] int awake_workers() const {
    return shared_.options.workers - shared_.barrier.waiting();
  }

 private:
  using Deque = ChaseLevDeque<Chunk<Bag>>;

  typename Deque::Thief thief(std::size_t worker) {
    return typename Deque::Thief(shared_.posts[worker].deque);
  }

  std::uint32_t shown(std::int64_t most_of_a_deque) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      sum += std::min(thief(i).size(), most_of_a_deque);
    }
    return static_cast<std::uint32_t>(sum);
  }

  NodeShared<P> shared_;
  typename Deque::Owner own_;
  std::vector<Worker<P>> workers_;
  std::vector<std::thread> threads_;
};

}  // namespace belay
