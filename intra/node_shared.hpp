// NodeShared: what the threads of one node share during one run.
//
// Post 0 to N-1 belong to the workers, post N to the communication thread, which is a thief
// like any other and pushes onto its own deque what arrives from other nodes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "belay/core/problem.hpp"
#include "belay/intra/cancellable_barrier.hpp"
#include "belay/intra/chase_lev_deque.hpp"
#include "belay/intra/chunk.hpp"
#include "belay/intra/doorbell.hpp"

namespace belay {

// What a node must know of the run's parameters and of the machine.
struct NodeOptions {
  int workers = 1;
  int chunks_shown = 2;
  Share share = Share::half();
  std::uint32_t quantum = 0;     // tasks, 0: adaptive
  bool spin = true;              // spin before sleeping: every worker has a core of its own
  bool has_other_nodes = false;  // somebody beside the workers may want chunks
  // The communication thread asks abroad before work runs out: it is told when it is short, and
  // the node's tasks are counted.
  bool rings_when_short = false;
  // Looks, on a worker's thread and without waiting, whether the network has something for the
  // communication thread; empty: that thread is on its own.
  std::function<bool()> network_calls{};
  // How often, at most. A look costs about 0.3 us; but where there are more threads than cores,
  // MPI libraries give the core away in it, which costs ten times that and 20 % of 8 ranks'
  // throughput on 2 cores.
  static constexpr std::int64_t kWatchNs = 150'000;
  static constexpr std::int64_t kRareWatchNs = 2'000'000;
  std::int64_t watch_ns = kWatchNs;
  std::int64_t start_ns = 0;     // of the run, by now_ns()
  std::size_t trace_events = 0;  // of each thread that are kept
};

template <class Bag>
struct alignas(kCacheLine) Post {
  ChaseLevDeque<Chunk<Bag>> deque;
  // Raised by whoever wants this worker to come back from its quantum: a thief, or the end.
  alignas(kCacheLine) std::atomic<bool> attention{false};
  // By this worker until now, for who looks on.
  alignas(kCacheLine) std::atomic<std::uint64_t> tasks_done{0};
};

template <Problem P>
struct NodeShared {
  using Bag = typename P::Bag;

  NodeShared(const P& the_problem, const NodeOptions& the_options)
      : problem(the_problem),
        options(the_options),
        barrier(the_options.workers),
        posts(static_cast<std::size_t>(the_options.workers) + 1) {}

  ~NodeShared() {
    // Only a run that failed or was stopped leaves chunks behind.
    for (auto& post : posts) {
      typename ChaseLevDeque<Chunk<Bag>>::Owner owner(post.deque);
      while (Chunk<Bag>* chunk = owner.take()) open_chunk<Bag>(chunk);
    }
  }

  NodeShared(const NodeShared&) = delete;
  NodeShared& operator=(const NodeShared&) = delete;

  [[nodiscard]] Post<Bag>& communication_post() { return posts.back(); }

  // Does any deque show a chunk?
  [[nodiscard]] bool work_visible() {
    for (auto& post : posts) {
      if (typename ChaseLevDeque<Chunk<Bag>>::Thief(post.deque).size() > 0) return true;
    }
    return false;
  }

  // A chunk was pushed: wake a worker that can take it, and the communication thread if it
  // waits for surplus on behalf of others.
  void chunk_appeared() {
    barrier.work_appeared();
    // [node.wanted] seq_cst; pairs with [node.want]: after [deque.push].
    if (surplus_wanted.load(std::memory_order_seq_cst)) doorbell.ring();
  }

  // Would somebody take a chunk as soon as there is one? Those who wait say so before they
  // beckon.
  [[nodiscard]] bool somebody_waits() const noexcept {
    // [worker.hear] seq_cst; pairs with [worker.hunger] and [node.want]: after [worker.respond].
    return hungry.load(std::memory_order_seq_cst) > 0 ||
           surplus_wanted.load(std::memory_order_seq_cst);
  }

  // Asks worker `index` to come back from its quantum.
  void beckon(std::size_t index) {
    auto& attention = posts[index].attention;
    // [worker.raised] seq_cst; pairs with [worker.respond]: after [worker.hunger] or
    // [node.want], so that who lowers the flag sees who waits, even if somebody else raised it.
    // A raised flag's cache line stays where it is.
    if (attention.load(std::memory_order_seq_cst)) return;
    // [worker.beckon] relaxed: the look before it has its place in the order. An exchange, so
    // that who lowers the flag sees the end even where this came on top of [worker.end].
    attention.exchange(true, std::memory_order_relaxed);
  }

  void beckon_all() {
    for (std::size_t i = 0; i < posts.size(); ++i) beckon(i);
  }

  // Ends the run: workers stop at their next task boundary, or wake up, and return.
  void end() {
    barrier.end();
    // Stored even where it is raised: whoever lowers the flag must take this value, or come
    // before it, to see the end.
    for (auto& post : posts) {
      // [worker.end] release; pairs with [worker.respond].
      post.attention.store(true, std::memory_order_release);
    }
  }

  // The communication thread's watch, kept by busy workers between two quanta: one of them looks
  // at the network once in a while and wakes it if need be, so that it may sleep long. True for
  // the one whose turn it is now, by now_ns(). A worker that spins looks more often.
  [[nodiscard]] bool watch_is_due(std::int64_t time_ns) {
    // Relaxed throughout: it does not matter who looks, only that few do.
    std::int64_t due = next_watch_ns.load(std::memory_order_relaxed);
    return time_ns >= due && next_watch_ns.compare_exchange_strong(due, time_ns + options.watch_ns,
                                                                   std::memory_order_relaxed);
  }

  void watch_network() {
    if (options.network_calls()) doorbell.ring();
  }

  // User code threw on this node. The first message counts.
  void fail(std::string message) {
    {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::move(message);
    }
    doorbell.ring();
  }

  const P& problem;
  const NodeOptions options;
  CancellableBarrier barrier;
  Doorbell doorbell;
  std::vector<Post<Bag>> posts;
  std::atomic<int> hungry{0};  // workers that found nothing at home
  std::atomic<bool> surplus_wanted{false};
  std::atomic<std::int64_t> next_watch_ns{0};
  // In all bags, as each worker found its own at its last quantum's end, and how many are few, as
  // the last of them found.
  alignas(kCacheLine) std::atomic<std::uint64_t> tasks{0};
  alignas(kCacheLine) std::atomic<std::uint64_t> few{0};
  std::atomic<bool> has_few{true};          // as the last worker found that ended a quantum
  std::atomic<std::uint64_t> times_few{0};  // it came to have few
  std::mutex failure_mutex;
  std::optional<std::string> failure;
};

}  // namespace belay
