// All scores of a graph, by the problem of bc on the calling thread alone.
#pragma once

#include <atomic>
#include <vector>

#include "apps/bc/bc.hpp"

namespace apps {

inline std::vector<double> score(const Graph& graph) {
  const BcProblem problem(graph);
  const std::atomic<bool> nobody_waits{false};
  auto bag = problem.part(0, 1);
  auto local = problem.make_local();
  auto result = problem.identity();
  while (bag.size() > 0) {
    belay::Quantum quantum(nobody_waits, 3);
    problem.process(bag, local, result, quantum);
  }
  problem.finish(result);
  return result.scores;
}

}  // namespace apps
