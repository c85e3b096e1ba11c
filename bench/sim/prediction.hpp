// Prediction: what a simulation tells of a run that never was, as JSON with stable keys.
//
//   tasks            done
//   task_ns          what each took, a whole number
//   seconds          until the last node knew the end; last_task_seconds, decided_seconds: before
//   efficiency       time of all tasks on one worker, over workers times seconds
//   loss             the rest, as parts of workers times seconds: start, middle, tail, as in
//                    losses.hpp; other: publishing, stealing at home, giving the core to the
//                    communication thread
//   requests         by kind: sent, loot, private_work, no_work
//   loot             messages with loot
//   tasks_per_worker min, mean, max, deviation (of the standard kind)
//   life_story       width_seconds of a bin; workers in each state, on average over each bin
//   simulation       events, seconds it took, events_per_second; and memory_kib, the most that
//                    belay-sim ever had, which itself adds it
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "belay/core/errors.hpp"
#include "belay/core/problem.hpp"
#include "belay/inter/sim/simulation.hpp"
#include "bench/sim/losses.hpp"
#include "bench/sim/standstill.hpp"

namespace bench {

// took: what the simulation itself took.
[[nodiscard]] nlohmann::ordered_json to_json(const belay::sim::SimulationCounts& counts,
                                             const belay::sim::SimulationOptions& options,
                                             const Losses& losses,
                                             std::chrono::duration<double> took);

// initial: the bags that the ranks begin with. Throws std::runtime_error or std::logic_error if the
// simulation does not come to its end with all tasks done.
template <belay::Problem P>
[[nodiscard]] nlohmann::ordered_json predict(const P& problem, std::vector<typename P::Bag> initial,
                                             belay::sim::SimulationOptions options) {
  Losses losses(std::int64_t{options.nodes} * options.workers);
  Standstill standstill(options);
  options.observers = {&losses, &standstill};
  const auto start = std::chrono::steady_clock::now();
  belay::sim::Simulation simulation(problem, options);
  const auto outcome = simulation.run_on_each_rank(std::move(initial));
  const auto took = std::chrono::steady_clock::now() - start;
  BELAY_CHECK(outcome.outcome == belay::RunOutcome::success && outcome.tasks_left == 0,
              outcome.failed_rank, outcome.tasks_left);
  losses.end(outcome.time);
  return to_json(outcome, options, losses, took);
}

}  // namespace bench
