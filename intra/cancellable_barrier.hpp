// CancellableBarrier: where a node's workers wait while there is nothing to do.
//
// Level one of termination. A worker enters when it holds nothing and its deque is empty, and
// leaves before it touches any deque, so "all workers are waiting" means that no worker of the
// node holds a task. New work cancels the wait of as many workers as it can feed; the end of
// the run cancels all.
//
// No wake-up is lost: a worker announces itself and then looks for work; whoever adds work
// pushes it and then looks for waiting workers. All four accesses are sequentially
// consistent, so at least one of the two sees the other.
//
// wait() is the workers'; work_appeared() is for any thread, after its push; end(), waiting()
// for the communication thread. Source: cancellable barrier of the UTS benchmark's runtimes
// (uts-manycore-gpi, section 5.2), with sleepers in the kernel.
#pragma once

#include <atomic>
#include <cstdint>

#include "belay/intra/chase_lev_deque.hpp"
#include "belay/intra/futex.hpp"

namespace belay {

class CancellableBarrier {
 public:
  explicit CancellableBarrier(int workers) noexcept : workers_(workers) {}

  // Waits until work_visible() holds (returns true, and the worker counts as working again)
  // or the run has ended (returns false, and it counts as waiting for good).
  // all_waiting(): called when this worker was the last to come. slept: counts sleeps.
  template <class WorkVisible, class AllWaiting>
  bool wait(WorkVisible&& work_visible, AllWaiting&& all_waiting, std::uint64_t& slept) {
    // [barrier.announce] seq_cst; pairs with [barrier.sleepers] and [barrier.count]. Also a
    // release: what the worker did before is done for whoever reads the count.
    if (waiting_.fetch_add(1, std::memory_order_seq_cst) + 1 == workers_) all_waiting();
    while (true) {
      // [barrier.ticket] acquire; pairs with [barrier.call]: taken before the look for work,
      // so a call that comes after the look changes the word and the sleep does not begin.
      const std::uint32_t ticket = calls_.load(std::memory_order_acquire);
      if (ended()) return false;
      if (work_visible()) {
        // [barrier.leave] relaxed: out of the count before any deque is touched, and
        // [deque.claim], which follows, carries that to whoever sees the chunk gone.
        waiting_.fetch_sub(1, std::memory_order_relaxed);
        return true;
      }
      ++slept;
      futex_wait(calls_, ticket);
    }
  }

  // One chunk has been pushed: wake one worker if any is waiting.
  void work_appeared() noexcept {
    // [barrier.sleepers] seq_cst; pairs with [barrier.announce]: after [deque.push].
    if (waiting_.load(std::memory_order_seq_cst) == 0) return;
    call(1);
  }

  void end() noexcept {
    // [barrier.end] release; pairs with [barrier.ended]: who sees the end sees what led to it.
    ended_.store(true, std::memory_order_release);
    call(kWakeAll);
  }

  [[nodiscard]] bool ended() const noexcept {
    // [barrier.ended] acquire; pairs with [barrier.end].
    return ended_.load(std::memory_order_acquire);
  }

  [[nodiscard]] int waiting() const noexcept {
    // [barrier.count] acquire; pairs with [barrier.announce].
    return waiting_.load(std::memory_order_acquire);
  }

  [[nodiscard]] int workers() const noexcept { return workers_; }

 private:
  void call(int count) noexcept {
    // [barrier.call] release; pairs with [barrier.ticket]: a new ticket comes with what it was
    // called for.
    calls_.fetch_add(1, std::memory_order_release);
    futex_wake(calls_, count);
  }

  const int workers_;
  alignas(kCacheLine) std::atomic<int> waiting_{0};
  alignas(kCacheLine) std::atomic<std::uint32_t> calls_{0};  // the word that waiters sleep on
  std::atomic<bool> ended_{false};
};

}  // namespace belay
