// What waiting costs: work that appears when nobody waits and when somebody sleeps, and how long
// it takes until a sleeper works on it.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "belay/intra/cancellable_barrier.hpp"

namespace belay {
namespace {

void work_appears_and_nobody_waits(benchmark::State& state) {
  CancellableBarrier barrier(2);
  for (auto _ : state) barrier.work_appeared();
}
BENCHMARK(work_appears_and_nobody_waits);

// From the push, through the wake-up of the one worker that sleeps, until it has taken the work
// and sleeps again.
void sleeper_woken(benchmark::State& state) {
  CancellableBarrier barrier(2);
  std::atomic<bool> work{false};
  std::uint64_t sleeps = 0;
  std::thread worker([&] {
    while (barrier.wait([&] { return work.load(); }, [] {}, sleeps)) work.store(false);
  });
  const auto wait_for_sleeper = [&] {
    while (barrier.waiting() == 0 || work.load()) std::this_thread::yield();
  };
  wait_for_sleeper();
  for (auto _ : state) {
    work.store(true);
    barrier.work_appeared();
    wait_for_sleeper();
  }
  barrier.end();
  worker.join();
  state.counters["sleeps"] = static_cast<double>(sleeps);
}
BENCHMARK(sleeper_woken)->UseRealTime();

}  // namespace
}  // namespace belay
