#include "bench/sim/cluster_options.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "apps/common/options.hpp"

namespace bench {

void add_cluster_options(CLI::App& app, ClusterOptions& options) {
  belay::Parameters& parameters = options.parameters;
  apps::add_number(app, "--nodes", options.nodes, 1, 1 << 20, "default 256");
  apps::add_number(app, "--workers", options.workers, 1, 4096, "of a node; default 12");
  app.add_option("--costs", options.costs_file,
                 "JSON file of what things cost; default: what is written below")
      ->type_name("FILE")
      ->check(apps::refuse_no_name);
  app.add_option("--cost", options.costs, "sets one cost, wins over the file; may be repeated")
      ->allow_extra_args(false)  // or it takes the names of files behind it
      ->type_name("NAME=NUMBER");
  apps::add_number(app, "--quantum", parameters.quantum, 1, 1'000'000,
                   "n, tasks per quantum; default auto: a few microseconds' worth", "auto");
  apps::add_choice(app, "--policy", parameters.policy, apps::kPolicyNames,
                   "whom to ask for work; default lifeline");
  apps::add_number(app, "--random-steals", parameters.random_steals, 0, 1'000'000, "w; default 1");
  apps::add_number(app, "--lifelines", parameters.lifelines, 1, 64, "z; default 3");
  apps::add_number(app, "--steal", parameters.steal, 1, std::numeric_limits<std::uint32_t>::max(),
                   "k, tasks per chunk, and a chunk a steal; default half of both", "half");
  apps::add_choice(app, "--prefetch", parameters.prefetch, apps::kPrefetchNames,
                   "whom to ask ahead, before work runs out; default random");
  apps::add_number(app, "--prefetch-below", parameters.prefetch_below, 1, 1'000'000,
                   "chunks; default auto: half as many as there are workers", "auto");
  apps::add_number(app, "--chunks-shown", parameters.chunks_shown, 1, 1024,
                   "that a deque should show; default 2");
  apps::add_number(app, "--many-tasks", options.many_tasks, 0, 1'000'000,
                   "a bag with fewer short ones is left whole unless somebody asks; default 12");
  apps::add_number(
      app, "--few-tasks", options.few_tasks, 0, 1'000'000,
      "for each worker, or 50 us of them if less; with fewer a node asks ahead; default 40");
  apps::add_number(app, "--seed", parameters.seed, 0, std::numeric_limits<std::int64_t>::max(),
                   "of victims, latencies and sampled bags; default 1");
  app.footer(app.get_footer() + "Costs, their defaults, and what they are:\n" + describe_costs());
}

MachineCosts costs_of(const ClusterOptions& options) {
  MachineCosts machine;
  if (!options.costs_file.empty()) read_costs(machine, options.costs_file);
  for (const std::string& assignment : options.costs) set_cost(machine, assignment);
  return machine;
}

belay::sim::SimulationOptions simulation_options(const ClusterOptions& options, double task_ns) {
  options.parameters.validate();
  if (!(task_ns >= 0.5 && task_ns <= kLongestTask)) {
    std::ostringstream text;
    text << "a task takes " << task_ns << " ns, allowed: 1, rounded, to " << kLongestTask;
    throw std::invalid_argument(text.str());
  }
  belay::sim::SimulationOptions simulation;
  simulation.nodes = options.nodes;
  simulation.workers = options.workers;
  simulation.quantum = options.parameters.quantum;
  simulation.share = belay::Share::tasks(options.parameters.steal);
  simulation.chunks_shown = static_cast<std::size_t>(options.parameters.chunks_shown);
  simulation.many_tasks = options.many_tasks;
  simulation.few_tasks = options.few_tasks;
  simulation.seed = options.parameters.seed;
  simulation.most_events = std::numeric_limits<std::uint64_t>::max();  // see standstill.hpp
  simulation.most_ahead = 1'000'000'000;
  simulation.protocol =
      belay::protocol_options(options.parameters, 0, options.nodes, options.workers);
  simulation.costs = costs_of(options).costs;
  simulation.costs.task = std::llround(task_ns);
  return simulation;
}

nlohmann::ordered_json to_json(const ClusterOptions& options) {
  const belay::Parameters& parameters = options.parameters;
  return {{"nodes", options.nodes},
          {"workers", options.workers},
          {"quantum", parameters.quantum},
          {"policy", apps::name_of(apps::kPolicyNames, parameters.policy)},
          {"random_steals", parameters.random_steals},
          {"lifelines", parameters.lifelines},
          {"steal", parameters.steal},
          {"prefetch", apps::name_of(apps::kPrefetchNames, parameters.prefetch)},
          {"prefetch_below", parameters.prefetch_below},
          {"chunks_shown", parameters.chunks_shown},
          {"many_tasks", options.many_tasks},
          {"few_tasks", options.few_tasks},
          {"seed", parameters.seed},
          {"costs", to_json(costs_of(options))}};
}

}  // namespace bench
