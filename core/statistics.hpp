// Statistics: what a run counted, per worker, per communication thread, per rank.
//
// Plain numbers, written by one thread each while the run goes on and read after it ended.
// Those of all ranks meet on rank 0; the other ranks get their own alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "belay/core/durations.hpp"
#include "belay/core/life_story.hpp"
#include "belay/core/trace.hpp"

namespace belay {

// Of one worker.
struct WorkerStatistics {
  std::uint64_t tasks = 0;              // processed, as counted by Quantum::take
  std::uint64_t quanta = 0;             // calls of process
  std::uint64_t chunks_published = 0;   // pushed onto the own deque
  std::uint64_t chunks_taken_back = 0;  // taken from the own deque
  std::uint64_t chunks_stolen = 0;      // stolen from another deque of the node
  std::uint64_t steals_lost = 0;        // a race for a chunk that somebody else won
  std::uint64_t waits = 0;              // times in the barrier
  std::uint64_t sleeps = 0;             // times asleep in the kernel
  PerState seconds{};                   // in each state; they add up to its rank's
  double last_task = 0;                 // seconds from the run's start to the end of the last task
  Durations searches;                   // from the end of the own work to a chunk of another deque
};

// Requests by why they were sent; indexes the arrays below.
enum class RequestKind : std::uint8_t { random, lifeline, prefetch };
inline constexpr std::size_t kRequestKinds = 3;  // how many there are

// Indexed by RequestKind.
using PerKind = std::array<std::uint64_t, kRequestKinds>;

// The requests of one kind on one side, sent or received, and how they were answered.
struct RequestStatistics {
  PerKind requests{};      // all of them
  PerKind loot{};          // answered at once with loot
  PerKind private_work{};  // answered: no surplus, but work in private bags
  PerKind no_work{};       // answered: nothing at all
};

// Of the communication thread of one rank.
struct CommunicationStatistics {
  RequestStatistics sent;            // this rank's requests
  RequestStatistics received;        // other ranks' requests
  std::uint64_t loot_sent = 0;       // loot messages, late ones on lifelines included
  std::uint64_t loot_received = 0;   // the same
  std::uint64_t tasks_sent = 0;      // in loot
  std::uint64_t tasks_received = 0;  // in loot
  std::uint64_t bytes_sent = 0;      // of packed loot
  std::uint64_t bytes_received = 0;  // of packed loot
  std::uint64_t votes = 0;           // of this rank up the combining tree
  std::uint64_t wakeups = 0;         // returns from sleep
  Durations steal_times;             // from a request, no prefetch, to the loot that answers it
  PerState seconds{};                // in each state; they add up to its rank's
  double decided = 0;                // seconds from the run's start to the news of its end
};

// Work that came from elsewhere.
struct TasksFrom {
  int rank = 0;             // where it came from
  std::uint64_t tasks = 0;  // how many came
};

// Of one rank: its workers in their order, and its communication thread.
struct RankStatistics {
  int rank = 0;                             // in the session
  std::string host;                         // its name
  double seconds = 0;                       // from the run's start to the end of its threads' work
  std::vector<WorkerStatistics> workers{};  // in their order
  CommunicationStatistics communication{};  // of the thread that called run()
  LifeStory life_story{};                   // of its workers together
  // Tasks stolen within the node. A row for each worker: from each worker, and last what had
  // arrived from other ranks.
  std::vector<std::uint64_t> tasks_stolen{};
  std::vector<TasksFrom> loot_from{};  // tasks received from other ranks, by rank
  RankTrace trace{};                   // if Parameters::trace_events wants one

  // Processed by all its workers.
  [[nodiscard]] std::uint64_t tasks() const {
    return std::accumulate(workers.begin(), workers.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& w) { return sum + w.tasks; });
  }

  // From the end of its last task to the news of the end; all of it where it had none.
  [[nodiscard]] double seconds_after_last_task() const {
    double last = 0;
    for (const auto& worker : workers) last = std::max(last, worker.last_task);
    return communication.decided - last;
  }
};

// Of a run.
struct Statistics {
  double seconds = 0;                 // of this rank: from the run's start to its result
  std::vector<RankStatistics> ranks;  // by rank; away from rank 0 the own one alone

  // Processed on all of `ranks`.
  [[nodiscard]] std::uint64_t tasks() const {
    return std::accumulate(ranks.begin(), ranks.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& r) { return sum + r.tasks(); });
  }

  // From the end of the last task on any of `ranks` to the news of the end there.
  [[nodiscard]] double seconds_after_last_task() const {
    double least = seconds;
    for (const auto& rank : ranks) least = std::min(least, rank.seconds_after_last_task());
    return least;
  }
};

// What run_with_statistics returns.
template <class Result>
struct Outcome {
  Result result;          // where Parameters::result_at wants it, else the identity
  Statistics statistics;  // of all ranks on rank 0, of the own rank elsewhere
};

}  // namespace belay
