// Made-up statistics of two ranks with two workers each, one of everything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "belay/core/statistics.hpp"

namespace apps::test {

inline belay::RankStatistics watched_rank(int number) {
  using belay::ThreadState;
  constexpr std::int64_t kMillisecond = 1'000'000;
  belay::RankStatistics rank{.rank = number, .host = "host" + std::to_string(number)};
  rank.seconds = 0.01;
  rank.workers.resize(2);
  for (auto& worker : rank.workers) {
    worker.tasks = 100;
    worker.chunks_stolen = 3;
    worker.seconds = {0.006, 0.001, 0.001, 0.0005, 0.0015};
    worker.last_task = 0.009;
    worker.searches.add(1000);
  }
  rank.communication.sent.requests = {11, 12, 13};
  rank.communication.sent.loot = {1, 2, 3};
  rank.communication.loot_received = 6;
  rank.communication.tasks_received = 44;
  rank.communication.seconds = {0, 0.001, 0.001, 0.003, 0.005};
  rank.communication.decided = 0.0095;
  rank.communication.steal_times.add(50'000);
  rank.life_story.spend(ThreadState::computing, 0, 12 * kMillisecond);
  rank.life_story.count_tasks(3 * kMillisecond, 200);
  rank.tasks_stolen = {0, 17, 23, 9, 0, 21};
  rank.loot_from = {{1 - number, 44}};
  return rank;
}

inline belay::Statistics watched_run() {
  return {.seconds = 0.011, .ranks = {watched_rank(0), watched_rank(1)}};
}

}  // namespace apps::test
