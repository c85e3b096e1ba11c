// What is explored of the barrier and the doorbell: publishers, sleepers, a communication
// thread that wants to know whether all is done, and the end.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>

#include "tests/intra/model/explore.hpp"
// With the model's atomics:
#include "belay/intra/cancellable_barrier.hpp"
#include "belay/intra/chase_lev_deque.hpp"
#include "belay/intra/doorbell.hpp"

namespace belay::model {

// A thread publishes a chunk for each worker, and a worker ends once it has got one: a lost
// wake-up is a deadlock.
template <std::size_t Workers>
class PublishAndSleep {
 public:
  static constexpr int kThreads = 1 + Workers;
  static constexpr int kStarts = 0;

  void run(std::size_t index) {
    if (index == 0) {
      publish();
    } else {
      wait_for_one();
    }
  }
  void check() {}

 private:
  using Deque = ChaseLevDeque<Plain<int>>;

  void publish() {
    Deque::Owner owner(deque_);
    for (auto& chunk : chunks_) {
      chunk.set(1);
      owner.push(&chunk);
      barrier_.work_appeared();
    }
  }

  void wait_for_one() {
    Deque::Thief thief(deque_);
    Plain<int>* chunk = nullptr;
    std::uint64_t slept = 0;
    do {
      const bool working = barrier_.wait([&] { return thief.size() > 0; }, [] {}, slept);
      require(working, "a run that goes on has ended");
    } while (thief.steal(chunk) != Steal::got);
    require(chunk != nullptr && chunk->get() == 1, "a chunk's content is not visible");
  }

  Deque deque_{2};
  CancellableBarrier barrier_{Workers};
  std::array<Plain<int>, Workers> chunks_;
};

// Workers wait for nothing but the end: one that misses it is a deadlock.
template <std::size_t Workers>
class End {
 public:
  static constexpr int kThreads = 1 + Workers;
  static constexpr int kStarts = 0;

  void run(std::size_t index) {
    if (index == 0) {
      reason_.set(1);
      barrier_.end();
      return;
    }
    std::uint64_t slept = 0;
    const bool working = barrier_.wait([] { return false; }, [] {}, slept);
    require(!working, "there is work where none was");
    require(reason_.get() == 1, "what led to the end is not visible");
  }
  void check() {}

 private:
  CancellableBarrier barrier_{Workers};
  Plain<int> reason_;
};

// The communication thread sleeps until it has seen what all ringers changed: a lost ring, or
// a change that comes after its ring, is a deadlock.
template <int Ringers>
class Rings {
 public:
  static constexpr int kThreads = 1 + Ringers;
  static constexpr int kStarts = 0;

  void run(std::size_t index) {
    if (index == 0) {
      while (changes_.load(std::memory_order_relaxed) != Ringers) {
        doorbell_.wait_for(std::nullopt);
      }
    } else {
      changes_.fetch_add(1, std::memory_order_relaxed);
      doorbell_.ring();
    }
  }
  void check() {}

 private:
  Doorbell doorbell_;
  std::atomic<int> changes_{0};
};

// In which order the communication thread looks at its own deque and at the waiting workers.
enum class Verdict { deque_first, count_first };

// A chunk, and how many more will come of it, one of the other.
struct Seed {
  int descendants = 0;
};

// A node at work: the communication thread pushes a chunk onto its own deque, workers process
// chunks and push new ones onto theirs, and when the verdict is that the node is idle,
// everything is done and visible.
template <std::size_t Workers, Verdict Way = Verdict::deque_first>
class IdleVerdict {
 public:
  static constexpr int kThreads = Workers + 1;
  static constexpr int kStarts = 0;

  void run(std::size_t index) {
    if (index == Workers) {
      communicate();
    } else {
      work(index);
    }
  }
  void check() {}

 private:
  using Deque = ChaseLevDeque<Seed>;
  static constexpr int kChunks = static_cast<int>(Workers);

  void communicate() {
    publish(Workers, kChunks - 1);
    while (!idle()) doorbell_.wait_for(std::nullopt);
    require(pending_ == 0, "the node is idle while a chunk exists");
    const int done = std::accumulate(done_.begin(), done_.end(), 0,
                                     [](int sum, const auto& more) { return sum + more.get(); });
    require(done == kChunks, "the node is idle, but not everything is done");
    barrier_.end();
  }

  bool idle() {
    if constexpr (Way == Verdict::deque_first) {
      return owner(Workers).size() == 0 && barrier_.waiting() == barrier_.workers();
    } else {
      return barrier_.waiting() == barrier_.workers() && owner(Workers).size() == 0;
    }
  }

  void work(std::size_t index) {
    std::uint64_t slept = 0;
    do {
      while (const Seed* chunk = find(index)) {
        if (chunk->descendants > 0) publish(index, chunk->descendants - 1);
        auto& done = done_.at(index);
        done.set(done.get() + 1);
        --pending_;
      }
    } while (barrier_.wait([&] { return work_visible(); }, [&] { doorbell_.ring(); }, slept));
  }

  void publish(std::size_t index, int descendants) {
    Seed& chunk = chunks_.at(published_++);
    chunk.descendants = descendants;
    ++pending_;
    owner(index).push(&chunk);
    barrier_.work_appeared();
  }

  const Seed* find(std::size_t index) {
    Seed* chunk = owner(index).take();
    for (std::size_t i = 1; chunk == nullptr && i <= Workers; ++i) {
      if (thief((index + i) % (Workers + 1)).steal(chunk) != Steal::got) chunk = nullptr;
    }
    return chunk;
  }

  bool work_visible() {
    for (std::size_t i = 0; i <= Workers; ++i) {
      if (thief(i).size() > 0) return true;
    }
    return false;
  }

  Deque::Owner owner(std::size_t index) { return Deque::Owner(deques_.at(index)); }
  Deque::Thief thief(std::size_t index) { return Deque::Thief(deques_.at(index)); }

  CancellableBarrier barrier_{Workers};
  Doorbell doorbell_;
  std::array<Deque, Workers + 1> deques_;  // the last one is the communication thread's
  std::array<Plain<int>, Workers> done_;
  std::array<Seed, Workers> chunks_;
  std::size_t published_ = 0;
  int pending_ = 0;
};

}  // namespace belay::model
