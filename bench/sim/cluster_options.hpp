// The options that describe a simulated cluster: its size, what things cost, the scheduler's
// parameters.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "belay/core/parameters.hpp"
#include "belay/inter/sim/simulation_options.hpp"
#include "bench/sim/machine_costs.hpp"

namespace bench {

struct ClusterOptions {
  int nodes = 256;
  int workers = 12;  // of a node
  belay::Parameters parameters;
  std::uint32_t many_tasks = belay::sim::SimulationOptions{}.many_tasks;
  std::uint32_t few_tasks = belay::sim::SimulationOptions{}.few_tasks;
  std::string costs_file;
  std::vector<std::string> costs;  // assignments, which win over the file
};

// `options` must live as long as `app`.
void add_cluster_options(CLI::App& app, ClusterOptions& options);

// Throws std::invalid_argument.
[[nodiscard]] MachineCosts costs_of(const ClusterOptions& options);

// A task takes task_ns, rounded. Throws std::invalid_argument.
[[nodiscard]] belay::sim::SimulationOptions simulation_options(const ClusterOptions& options,
                                                               double task_ns);

[[nodiscard]] nlohmann::ordered_json to_json(const ClusterOptions& options);

}  // namespace bench
