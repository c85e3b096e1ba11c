// BPC, the Bouncing Producer-Consumer benchmark: a chain of producers, each of which makes the next
// one and some consumers. All parallelism comes from the one producer there is, so that balancing
// is as good as the scheduler is at spreading one's tasks while their source moves about.
//
// A producer makes the next producer first and its consumers after it. Workers run the newest
// task first and give away the oldest, so that its own worker comes to the producer last, and it is
// the first thing that a thief gets: the source bounces from thief to thief. (Made last, it would
// be run at once, and one worker would make all consumers.) A task's children are in its worker's
// bag as it makes them, and can be stolen when it ends; so a producer's own time delays them all.
//
// Source: Dinan et al., Scalable Work Stealing, SC 2009, 10.1145/1654059.1654113.
#pragma once

#include <chrono>
#include <cstdint>

#include "apps/common/work.hpp"
#include "belay/core/task_problem.hpp"

namespace apps {

struct BpcResult {
  std::uint64_t producers = 0;
  std::uint64_t consumers = 0;

  bool operator==(const BpcResult&) const = default;
};

// A belay::TaskFunction.
struct Bpc {
  using Task = std::uint32_t;  // producers to come, this one included; a consumer: 0
  using Result = BpcResult;

  std::uint32_t consumers = 0;  // of each producer
  Work work = Work::none;
  std::chrono::nanoseconds producer_time{};
  std::chrono::nanoseconds consumer_time{};

  void operator()(Task producers, belay::Spawn<Task>& spawn, Result& result) const {
    if (producers == 0) {
      work_off(work, consumer_time);
      ++result.consumers;
      return;
    }
    work_off(work, producer_time);
    ++result.producers;
    if (producers > 1) spawn(producers - 1);
    for (std::uint32_t i = 0; i < consumers; ++i) spawn(0U);
  }

  // What a chain of so many producers must give.
  [[nodiscard]] Result expected(std::uint32_t depth) const {
    return {depth, std::uint64_t{depth} * consumers};
  }

  static void reduce(Result& into, Result&& from) {
    into.producers += from.producers;
    into.consumers += from.consumers;
  }
};

}  // namespace apps
