#include "belay/intra/cancellable_barrier.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstdint>
#include <optional>
#include <thread>

#include "belay/core/rng.hpp"
#include "belay/intra/chase_lev_deque.hpp"
#include "tests/intra/hang_guard.hpp"
#include "tests/intra/rounds.hpp"
#include "tests/intra/threads.hpp"

namespace belay::test {
namespace {

constexpr auto kNothingVisible = [] { return false; };
constexpr auto kWorkVisible = [] { return true; };
constexpr auto kIgnore = [] {};

TEST(CancellableBarrier, NobodyWaitsAtFirst) {
  const CancellableBarrier barrier(3);
  EXPECT_EQ(barrier.workers(), 3);
  EXPECT_EQ(barrier.waiting(), 0);
  EXPECT_FALSE(barrier.ended());
}

TEST(CancellableBarrier, WorkerThatSeesWorkLeavesWithoutSleeping) {
  const HangGuard guard;
  CancellableBarrier barrier(2);
  std::uint64_t slept = 0;
  EXPECT_TRUE(barrier.wait(kWorkVisible, kIgnore, slept));
  EXPECT_EQ(slept, 0U);
  EXPECT_EQ(barrier.waiting(), 0);
}

TEST(CancellableBarrier, WorkerCountsAsWaitingBeforeItLooksForWork) {
  CancellableBarrier barrier(2);
  std::uint64_t slept = 0;
  int waiting = 0;
  barrier.wait(
      [&] {
        waiting = barrier.waiting();
        return true;
      },
      kIgnore, slept);
  EXPECT_EQ(waiting, 1);
}

TEST(CancellableBarrier, LastToComeSaysSoEachTime) {
  CancellableBarrier barrier(1);
  std::uint64_t slept = 0;
  int calls = 0;
  for (int i = 0; i < 3; ++i) {
    barrier.wait(
        kWorkVisible, [&] { ++calls; }, slept);
    EXPECT_EQ(calls, i + 1);
  }
}

TEST(CancellableBarrier, OthersThanTheLastSayNothing) {
  CancellableBarrier barrier(2);
  std::uint64_t slept = 0;
  int calls = 0;
  barrier.wait(
      kWorkVisible, [&] { ++calls; }, slept);
  EXPECT_EQ(calls, 0);
}

TEST(CancellableBarrier, AfterTheEndNobodyWaitsAndAllCountAsWaiting) {
  const HangGuard guard;
  CancellableBarrier barrier(2);
  barrier.end();
  EXPECT_TRUE(barrier.ended());
  std::uint64_t slept = 0;
  EXPECT_FALSE(barrier.wait(kNothingVisible, kIgnore, slept));
  EXPECT_FALSE(barrier.wait(kWorkVisible, kIgnore, slept)) << "the end comes before work";
  EXPECT_EQ(slept, 0U);
  EXPECT_EQ(barrier.waiting(), 2);
}

TEST(CancellableBarrier, EndMayBeSaidTwice) {
  CancellableBarrier barrier(1);
  barrier.end();
  barrier.end();
  EXPECT_TRUE(barrier.ended());
}

TEST(CancellableBarrier, WorkThatAppearsWhileNobodyWaitsIsSeenByTheNextToCome) {
  CancellableBarrier barrier(1);
  barrier.work_appeared();
  std::uint64_t slept = 0;
  EXPECT_TRUE(barrier.wait(kWorkVisible, kIgnore, slept));
}

// Chunks of work, each for one worker.
class Chunks {
 public:
  void add() { count_.fetch_add(1, std::memory_order_seq_cst); }

  [[nodiscard]] bool visible() const { return count_.load(std::memory_order_seq_cst) > 0; }

  bool claim() {
    int count = count_.load(std::memory_order_seq_cst);
    while (count > 0) {
      if (count_.compare_exchange_weak(count, count - 1, std::memory_order_seq_cst)) {
        claimed_.fetch_add(1, std::memory_order_seq_cst);
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] int claimed() const { return claimed_.load(std::memory_order_seq_cst); }

 private:
  std::atomic<int> count_{0};
  std::atomic<int> claimed_{0};
};

TEST(CancellableBarrier, WakesAsManyAsThereAreChunksAndNoMore) {
  constexpr int kWorkers = 6;
  constexpr int kChunks = 4;
  const HangGuard guard;
  CancellableBarrier barrier(kWorkers);
  Chunks chunks;
  std::atomic<int> looks{0};
  std::atomic<int> last_arrivals{0};
  std::atomic<int> left{0};
  std::atomic<int> ended{0};
  std::atomic<std::uint64_t> sleeps{0};
  Threads workers(kWorkers, [&](int) {
    std::uint64_t slept = 0;
    const auto look = [&] {
      ++looks;
      return chunks.claim();
    };
    ++(barrier.wait(
           look, [&] { ++last_arrivals; }, slept)
           ? left
           : ended);
    sleeps += slept;
  });
  await([&] { return looks == kWorkers; });
  workers.await_asleep();
  EXPECT_EQ(barrier.waiting(), kWorkers);
  EXPECT_EQ(last_arrivals, 1);

  for (int i = 1; i <= kChunks; ++i) {
    chunks.add();
    barrier.work_appeared();
    await([&] { return left == i; });
    EXPECT_EQ(barrier.waiting(), kWorkers - i);
  }
  EXPECT_EQ(looks, kWorkers + kChunks) << "each chunk woke one worker";

  barrier.end();
  workers.join();
  EXPECT_EQ(left, kChunks);
  EXPECT_EQ(ended, kWorkers - kChunks);
  EXPECT_EQ(sleeps, static_cast<std::uint64_t>(kWorkers)) << "each slept once";
  EXPECT_EQ(barrier.waiting(), kWorkers - kChunks);
}

TEST(CancellableBarrier, WakeForAChunkThatIsGoneIsSleptOver) {
  const HangGuard guard;
  CancellableBarrier barrier(1);
  std::atomic<int> looks{0};
  std::atomic<bool> left{false};
  Threads worker(1, [&](int) {
    std::uint64_t slept = 0;
    const auto look = [&] {
      ++looks;
      return false;
    };
    left = barrier.wait(look, kIgnore, slept);
  });
  for (int i = 1; i <= 5; ++i) {
    await([&] { return looks == i; });
    worker.await_asleep();
    barrier.work_appeared();
  }
  await([&] { return looks == 6; });
  EXPECT_EQ(barrier.waiting(), 1) << "it never left";
  barrier.end();
  worker.join();
  EXPECT_FALSE(left);
}

TEST(CancellableBarrier, ChunkThatAppearsRightAfterTheLookIsNotSleptOver) {
  const HangGuard guard;
  CancellableBarrier barrier(2);
  int looks = 0;
  const auto look = [&] {
    if (++looks == 2) return true;
    barrier.work_appeared();
    return false;
  };
  std::uint64_t slept = 0;
  EXPECT_TRUE(barrier.wait(look, kIgnore, slept));
  EXPECT_EQ(looks, 2);
}

TEST(CancellableBarrier, EndThatComesRightAfterTheLookIsNotSleptOver) {
  const HangGuard guard;
  CancellableBarrier barrier(2);
  int looks = 0;
  const auto look = [&] {
    ++looks;
    barrier.end();
    return false;
  };
  std::uint64_t slept = 0;
  EXPECT_FALSE(barrier.wait(look, kIgnore, slept));
  EXPECT_EQ(looks, 1);
}

TEST(CancellableBarrier, EndMayBeTheAnswerToTheLastArrival) {
  const HangGuard guard;
  CancellableBarrier barrier(1);
  std::uint64_t slept = 0;
  EXPECT_FALSE(barrier.wait(
      kNothingVisible, [&] { barrier.end(); }, slept));
  EXPECT_EQ(slept, 0U);
}

TEST(CancellableBarrier, EndWakesAll) {
  constexpr int kWorkers = 8;
  const HangGuard guard;
  CancellableBarrier barrier(kWorkers);
  std::atomic<int> ended{0};
  Threads workers(kWorkers, [&](int) {
    std::uint64_t slept = 0;
    if (!barrier.wait(kNothingVisible, kIgnore, slept)) ++ended;
  });
  await([&] { return barrier.waiting() == kWorkers; });
  workers.await_asleep();
  barrier.end();
  workers.join();
  EXPECT_EQ(ended, kWorkers);
}

TEST(CancellableBarrier, WhatCameBeforeTheEndIsVisibleAfterIt) {
  const HangGuard guard;
  CancellableBarrier barrier(1);
  int message = 0;  // not atomic: the thread sanitizer sees an end that does not order
  Threads worker(1, [&](int) {
    std::uint64_t slept = 0;
    barrier.wait(kNothingVisible, kIgnore, slept);
    EXPECT_EQ(message, 42);
  });
  message = 42;
  barrier.end();
}

TEST(CancellableBarrier, WhatAWorkerDidIsVisibleWhenAllWait) {
  constexpr int kWorkers = 3;
  const HangGuard guard;
  CancellableBarrier barrier(kWorkers);
  int done[kWorkers] = {};
  Threads workers(kWorkers, [&](int i) {
    done[i] = i + 1;
    std::uint64_t slept = 0;
    barrier.wait(kNothingVisible, kIgnore, slept);
  });
  await([&] { return barrier.waiting() == kWorkers; });
  EXPECT_EQ(done[0] + done[1] + done[2], 6);
  barrier.end();
}

// Workers that wait for chunks, claim one when they see one, and wait again: a worker that
// comes too late finds nothing, as a thief that lost its race.
template <class Feed>
void expect_all_chunks_claimed(int worker_count, Feed feed) {
  const HangGuard guard;
  CancellableBarrier barrier(worker_count);
  Chunks chunks;
  std::atomic<int> ended{0};
  Threads workers(worker_count, [&](int) {
    std::uint64_t slept = 0;
    while (barrier.wait([&] { return chunks.visible(); }, kIgnore, slept)) chunks.claim();
    ++ended;
  });
  const int added = feed(barrier, chunks);
  await([&] { return chunks.claimed() == added; });
  await([&] { return barrier.waiting() == worker_count; });
  barrier.end();
  workers.join();
  EXPECT_EQ(chunks.claimed(), added);
  EXPECT_EQ(ended, worker_count);
  EXPECT_EQ(barrier.waiting(), worker_count);
}

TEST(CancellableBarrier, NoWakeUpIsLostWhenAllSleep) {
  for (const int workers : {1, 2, 4}) {
    expect_all_chunks_claimed(workers, [&](CancellableBarrier& barrier, Chunks& chunks) {
      Rounds rounds(3'000);
      while (rounds.next()) {
        await([&] { return barrier.waiting() == workers; });
        chunks.add();
        barrier.work_appeared();
        await([&] { return chunks.claimed() == rounds.index() + 1; });
      }
      return rounds.index();
    });
  }
}

TEST(CancellableBarrier, NoWakeUpIsLostWhileWorkersComeAndGo) {
  // The next chunk appears at any moment between a worker's announcement and its sleep.
  for (const int workers : {1, 2, 4}) {
    expect_all_chunks_claimed(workers, [](CancellableBarrier& barrier, Chunks& chunks) {
      Rounds rounds(20'000);
      while (rounds.next()) {
        chunks.add();
        barrier.work_appeared();
        await([&] { return chunks.claimed() == rounds.index() + 1; });
        for (int i = rounds.index() % 97; i > 0; --i) static_cast<void>(chunks.visible());
      }
      return rounds.index();
    });
  }
}

TEST(CancellableBarrier, NoWakeUpIsLostInBursts) {
  expect_all_chunks_claimed(4, [](CancellableBarrier& barrier, Chunks& chunks) {
    int added = 0;
    for (Rounds rounds(5'000); rounds.next();) {
      for (int i = rounds.index() % 6; i >= 0; --i) {
        chunks.add();
        barrier.work_appeared();
        ++added;
      }
      await([&] { return chunks.claimed() == added; });
    }
    return added;
  });
}

TEST(CancellableBarrier, NoWakeUpIsLostAmongManyProducers) {
  expect_all_chunks_claimed(3, [](CancellableBarrier& barrier, Chunks& chunks) {
    constexpr int kProducers = 3;
    constexpr int kEach = 5'000;
    Threads producers(kProducers, [&](int) {
      for (int i = 0; i < kEach; ++i) {
        chunks.add();
        barrier.work_appeared();
        if (i % 8 == 0) std::this_thread::yield();
      }
    });
    producers.join();
    return kProducers * kEach;
  });
}

TEST(CancellableBarrier, NoWakeUpIsLostWithARealDeque) {
  // The store that publishes is the deque's own, and so is the look for work. The worker
  // hesitates between a steal and its next arrival, longer each time, so that some pushes meet
  // the moment in which it announces itself and looks.
  const HangGuard guard;
  CancellableBarrier barrier(1);
  ChaseLevDeque<int> deque;
  int item = 0;
  std::atomic<int> stolen{0};
  Threads workers(1, [&](int) {
    ChaseLevDeque<int>::Thief thief(deque);
    std::uint64_t slept = 0;
    while (barrier.wait([&] { return thief.size() > 0; }, kIgnore, slept)) {
      int* seen = nullptr;
      if (thief.steal(seen) != Steal::got) continue;
      const int count = stolen.fetch_add(1) + 1;
      for (int hesitation = 0; hesitation < count % 256; ++hesitation) {
        static_cast<void>(thief.size());
      }
    }
  });
  ChaseLevDeque<int>::Owner owner(deque);
  for (Rounds rounds(50'000); rounds.next();) {
    owner.push(&item);
    barrier.work_appeared();
    await([&] { return stolen == rounds.index() + 1; });
  }
  barrier.end();
}

TEST(CancellableBarrier, EndIsNeverMissed) {
  // The end comes at any moment of an arrival, with and without work that appears beside it.
  constexpr int kWorkers = 3;
  const HangGuard guard;
  std::optional<CancellableBarrier> barrier;
  bool over = false;
  std::barrier start(kWorkers + 1);
  std::barrier finish(kWorkers + 1);
  std::atomic<int> ended{0};
  Threads workers(kWorkers, [&](int worker) {
    while (true) {
      start.arrive_and_wait();
      if (over) return;
      std::uint64_t slept = 0;
      if (worker == 0) barrier->work_appeared();
      if (!barrier->wait(kNothingVisible, kIgnore, slept)) ++ended;
      finish.arrive_and_wait();
    }
  });
  Rng rng(1);
  Rounds rounds(4'000);
  while (rounds.next()) {
    barrier.emplace(kWorkers);
    start.arrive_and_wait();
    for (std::uint32_t spin = rng.below(200); spin > 0; --spin) {
      static_cast<void>(barrier->waiting());
    }
    barrier->end();
    finish.arrive_and_wait();
    ASSERT_EQ(barrier->waiting(), kWorkers);
  }
  over = true;
  start.arrive_and_wait();
  workers.join();
  EXPECT_EQ(ended, kWorkers * rounds.index());
}

}  // namespace
}  // namespace belay::test
