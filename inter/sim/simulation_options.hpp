// SimulationOptions: the simulated cluster and what befalls it. SimulationOutcome: what came of
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "belay/core/share.hpp"
#include "belay/core/thresholds.hpp"
#include "belay/inter/protocol/steal_protocol.hpp"
#include "belay/inter/sim/costs.hpp"
#include "belay/inter/sim/interference.hpp"
#include "belay/inter/sim/observer.hpp"

namespace belay::sim {

struct SimulationOptions {
  int nodes = 2;
  int workers = 2;  // per node
  // Tasks per quantum; 0: adaptive as in intra/quantum_length.hpp, that is at most twice the last
  // and this long while a worker's deque shows too little, or enough.
  std::uint32_t quantum = 128;
  Nanoseconds short_quantum = kShortQuantumNs;
  Nanoseconds long_quantum = kLongQuantumNs;
  // With adaptive quanta a bag is split if it has so many tasks or so much work, or somebody asks.
  std::uint32_t many_tasks = kManyTasks;
  Nanoseconds much_work = kMuchWorkNs;
  std::uint32_t few_tasks = kFewTasks;  // of a worker, or as fill the long quantum if less
  std::size_t chunks_shown = 2;
  std::size_t shown_if_coarse = kShownIfCoarse;  // with adaptive quanta that a single task fills
  Share share = Share::half();                   // of a bag in a chunk
  std::uint64_t seed = 1;
  std::uint64_t most_events = 50'000'000;
  ProtocolOptions protocol;  // rank, size and seed are filled in
  Costs costs;

  // How many times longer everything takes on a node, by rank; 1 for the ranks beyond.
  std::vector<std::uint32_t> slowness;
  // What happens in the same instant has a random order, not that of its causes.
  bool shuffle_instants = false;
  // Of 16 gives, how many find that the workers took their chunks back.
  std::uint32_t lost_gives = 0;

  // What goes wrong, at this time at this node.
  struct Mishap {
    Nanoseconds time = 0;
    int node = 0;
    RunOutcome outcome = RunOutcome::failed;
  };
  std::vector<Mishap> mishaps;

  Nanoseconds most_ahead = 2'000'000;  // no worker is advanced further in one step

  // Not owned. Told in this order.
  std::vector<Observer*> observers;
  Interference* interference = nullptr;
};

// All but what the problem's tasks add up to.
struct SimulationCounts {
  RunOutcome outcome = RunOutcome::success;
  int failed_rank = 0;
  std::uint64_t tasks = 0;
  std::vector<std::uint64_t> tasks_of_workers{};  // node by node
  std::uint64_t tasks_left = 0;                   // as the nodes count; none after a success
  Nanoseconds time = 0;                           // until the last node was done
  Nanoseconds last_task = 0;                      // when the last task ended
  Nanoseconds decided = 0;                        // when the root decided the outcome
  std::uint64_t events = 0;
  std::vector<StealStatistics> nodes{};
};

template <class Result>
struct SimulationOutcome : SimulationCounts {
  Result result;  // whole after a success, partial otherwise
};

}  // namespace belay::sim
