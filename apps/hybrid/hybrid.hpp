// Prime numbers below a limit, counted in a program that has oneTBB at work inside belay's tasks.
//
// A task is an interval of numbers: a long one is halved, a short one counted by a oneTBB
// parallel_reduce. Trial division makes intervals cost the more the higher they lie.
//
// All of a rank's tasks share one arena with as many slots as the rank has cores, one of them
// reserved for each belay worker, so that there are never more threads at work than cores: with
// one worker, oneTBB has the other cores; with a worker per core, each counts alone. The result
// tells how many there were.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>

#include "belay/core/task_problem.hpp"

namespace apps {

struct Numbers {
  std::uint32_t begin;
  std::uint32_t end;
};

struct Primes {
  std::uint64_t count = 0;
  int threads_at_once = 0;  // at most, on any rank
};

[[nodiscard]] inline bool is_prime(std::uint32_t number) {
  if (number < 2) return false;
  for (std::uint64_t d = 2; d * d <= number; ++d) {
    if (number % d == 0) return false;
  }
  return true;
}

// A belay::TaskFunction.
class PrimesProblem {
 public:
  using Task = Numbers;
  using Result = Primes;

  // workers: of belay, 1 to cores.
  PrimesProblem(int workers, int cores) : arena_(cores, static_cast<unsigned>(workers)) {}

  void operator()(Task task, belay::Spawn<Task>& spawn, Result& result) const {
    if (task.end - task.begin > kLength) {
      const std::uint32_t middle = task.begin + (task.end - task.begin) / 2;
      spawn(Numbers{middle, task.end});
      spawn(Numbers{task.begin, middle});
      return;
    }
    result.count += arena_.execute([&] { return count(task); });
    result.threads_at_once = std::max(result.threads_at_once, most_.load());
  }

  static void reduce(Result& into, Result&& from) {
    into.count += from.count;
    into.threads_at_once = std::max(into.threads_at_once, from.threads_at_once);
  }

 private:
  // Some milliseconds' worth where numbers are large: enough for several threads.
  static constexpr std::uint32_t kLength = 1U << 15U;
  // And for each of them enough to be worth a oneTBB task.
  static constexpr std::uint32_t kGrain = 1U << 10U;

  [[nodiscard]] std::uint64_t count(Numbers numbers) const {
    using Range = tbb::blocked_range<std::uint32_t>;
    return tbb::parallel_reduce(
        Range(numbers.begin, numbers.end, kGrain), std::uint64_t{0},
        [this](const Range& range, std::uint64_t sum) {
          const int now = ++at_once_;
          for (int most = most_; now > most && !most_.compare_exchange_weak(most, now);) {
          }
          for (std::uint32_t number = range.begin(); number < range.end(); ++number) {
            sum += is_prime(number) ? 1 : 0;
          }
          --at_once_;
          return sum;
        },
        std::plus<>());
  }

  mutable tbb::task_arena arena_;
  mutable std::atomic<int> at_once_{0};
  mutable std::atomic<int> most_{0};
};

}  // namespace apps
