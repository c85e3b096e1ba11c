// belay-sim: one run on a cluster that is simulated, under the very protocol that runs over MPI.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/options.hpp"
#include "apps/common/program.hpp"
#include "apps/dcpar/dcpar.hpp"
#include "apps/nqueens/queens_options.hpp"
#include "apps/uts/sampled_binomial.hpp"
#include "apps/uts/sampled_geometric.hpp"
#include "apps/uts/tree_options.hpp"
#include "apps/uts/uts.hpp"
#include "belay/core/task_problem.hpp"
#include "bench/peer.hpp"
#include "bench/sim/cluster_options.hpp"
#include "bench/sim/measured_tasks.hpp"
#include "bench/sim/prediction.hpp"

namespace {

using nlohmann::ordered_json;

template <belay::Problem P>
std::vector<typename P::Bag> at_root(typename P::Bag bag) {
  std::vector<typename P::Bag> bags;
  bags.push_back(std::move(bag));
  return bags;
}

// Nodes of the tree for each task, an inner node: known or, by law, its mean number of children.
double nodes_per_task(const apps::TreeOptions& tree) {
  if (tree.known != nullptr && tree.known->leaves) {
    const auto nodes = static_cast<double>(tree.known->nodes);
    return nodes / (nodes - static_cast<double>(*tree.known->leaves));
  }
  const apps::TreeParameters& parameters = tree.parameters;
  if (parameters.type == apps::TreeType::binomial) return parameters.m;
  if (parameters.type == apps::TreeType::geometric && parameters.shape == apps::Shape::fixed) {
    return 1 + parameters.b0;
  }
  throw std::invalid_argument(
      "how many nodes of this tree a task has is not known: take one that has a name");
}

// Throws std::runtime_error unless there are as many tasks as the tree has inner nodes, if that is
// known.
ordered_json checked(ordered_json result, const apps::KnownTree* tree) {
  if (tree == nullptr || !tree->leaves || result["tasks"] == tree->nodes - *tree->leaves) {
    return result;
  }
  std::ostringstream text;
  text << result["tasks"] << " tasks: wrong, " << tree->name << " has "
       << tree->nodes - *tree->leaves;
  throw std::runtime_error(text.str());
}

// size: nodes of a drawn binomial tree that has no name, otherwise 0.
ordered_json predict_tree(const apps::TreeOptions& tree, bool sampled, std::uint64_t size,
                          const bench::ClusterOptions& cluster) {
  const bool is_binomial = tree.parameters.type == apps::TreeType::binomial;
  if (size > 0 && (!sampled || !is_binomial || tree.known != nullptr)) {
    throw std::invalid_argument("--size: allowed of a drawn binomial tree that has no name");
  }
  const double task_ns = bench::costs_of(cluster).uts_node_ns * nodes_per_task(tree);
  const auto options = bench::simulation_options(cluster, task_ns);
  if (!sampled) {
    const apps::UtsProblem problem(tree.parameters, tree.hash);
    return checked(bench::predict(problem, at_root<apps::UtsProblem>(problem.root_bag()), options),
                   tree.known);
  }
  if (!is_binomial) {
    const apps::SampledGeometric problem(tree.parameters, options.seed);
    return bench::predict(problem, at_root<apps::SampledGeometric>(problem.root_bag()), options);
  }
  if (tree.known == nullptr && size == 0) {
    throw std::invalid_argument(
        "a binomial tree that is drawn needs a name or a --size: its law says nothing of that");
  }
  const apps::SampledBinomial problem(
      tree.parameters, tree.known != nullptr ? tree.known->nodes : size, options.seed);
  return checked(
      bench::predict(problem, at_root<apps::SampledBinomial>(problem.root_bag()), options),
      tree.known);
}

// A task in the simulation takes task_ns, whatever the function does.
template <belay::TaskFunction F>
ordered_json predict_tasks(const F& function, const std::vector<typename F::Task>& roots,
                           const bench::ClusterOptions& cluster) {
  const belay::TaskProblem problem(function);
  typename belay::TaskProblem<F>::Bag bag(roots.begin(), roots.end());
  const auto task_ns = static_cast<double>(bench::costs_of(cluster).costs.task);
  return bench::predict(problem, at_root<belay::TaskProblem<F>>(std::move(bag)),
                        bench::simulation_options(cluster, task_ns));
}

// Lengths in ns. All ranks begin with an equal number of tasks.
ordered_json predict_lengths(const std::vector<double>& lengths, int unit_ns,
                             const bench::ClusterOptions& cluster) {
  const bench::MeasuredTasks problem(lengths, unit_ns);
  std::vector<bench::MeasuredTasks::Bag> bags;
  for (int rank = 0; rank < cluster.nodes; ++rank) {
    bags.push_back(problem.part(rank, cluster.nodes));
  }
  auto options = bench::simulation_options(cluster, unit_ns);
  options.much_work = 0;  // a bag's tasks have many units
  return bench::predict(problem, std::move(bags), options);
}

std::string text_of(const ordered_json& result) {
  std::ostringstream text;
  text << result["tasks"] << " tasks in " << result["seconds"].get<double>() << " s, efficiency "
       << result["efficiency"].get<double>() << "; lost at the start "
       << result["loss"]["start"].get<double>() << ", in the middle "
       << result["loss"]["middle"].get<double>() << ", in the tail "
       << result["loss"]["tail"].get<double>() << ", otherwise "
       << result["loss"]["other"].get<double>() << "; " << result["loot"] << " loots\n";
  return text.str();
}

int simulate(const bench::OneRank& session, int argc, char** argv) {
  CLI::App app("Predicts a run on a cluster that is simulated, with the protocol as it is.",
               "belay-sim");
  apps::ReportOptions report;
  bench::ClusterOptions cluster;
  app.require_subcommand(1);
  app.fallthrough();

  apps::TreeOptions tree;
  bool sampled = false;
  std::uint64_t size = 0;
  CLI::App* const uts = app.add_subcommand("uts", "an unbalanced tree");
  apps::add_tree_options(*uts, tree);
  uts->add_flag("--sampled", sampled, "draw the tree by its law, in place of traversing it");
  apps::add_number(*uts, "--size", size, 1, 1'000'000'000'000'000,
                   "nodes of a binomial tree that is drawn and has no name");

  apps::QueensOptions queens;
  CLI::App* const nqueens = app.add_subcommand("nqueens", "N queens, all tasks of one length");
  apps::add_queens_options(*nqueens, queens);

  apps::DcPar dcpar_problem{.n = 40, .k = 20};
  std::uint32_t threshold = 4;
  CLI::App* const dcpar =
      app.add_subcommand("dcpar", "DCFixedPar(n, k, S, t), all tasks of one length");
  apps::add_number(*dcpar, "--tasks", dcpar_problem.n, 1, 1'000'000, "n; default 40");
  apps::add_number(*dcpar, "--every", dcpar_problem.k, 1, 1'000'000, "k; default 20");
  apps::add_number(*dcpar, "--threshold", threshold, 0, 1'000'000, "t; default 4");

  std::string lengths;
  int unit_ns = 1'000;
  CLI::App* const tasks = app.add_subcommand(
      "tasks", "tasks of lengths that were measured, the same number on each node");
  tasks->add_option("FILE", lengths, "of numbers, ns")->required();
  apps::add_number(*tasks, "--unit-ns", unit_ns, 1, 1'000'000'000,
                   "to which lengths are rounded; default 1000");

  bench::add_cluster_options(app, cluster);
  apps::add_output(app, report, "--json", report.json, "write the prediction there, - for stdout");
  report.inputs = {&cluster.costs_file, &lengths};
  app.add_flag("--quiet", report.quiet, "print nothing but errors");
  if (const auto status = apps::parse(session, app, report, argc, argv)) return *status;

  ordered_json result;
  ordered_json config{{"problem", app.get_subcommands().front()->get_name()}};
  if (uts->parsed()) {
    result = predict_tree(tree, sampled, size, cluster);
    config.update(apps::to_json(tree));
    config["sampled"] = sampled;
    config["size"] = size;
  } else if (nqueens->parsed()) {
    const apps::NQueens problem(queens.n, queens.cutoff);
    result = predict_tasks(problem, problem.roots(), cluster);
    config.update(apps::to_json(problem));
  } else if (dcpar->parsed()) {
    result = predict_tasks(dcpar_problem, {threshold}, cluster);
    config.update(ordered_json{{"n", dcpar_problem.n}, {"k", dcpar_problem.k}, {"t", threshold}});
  } else {
    result = predict_lengths(bench::read_lengths(lengths), unit_ns, cluster);
    config.update(ordered_json{{"lengths", lengths}, {"unit_ns", unit_ns}});
  }
  config.update(bench::to_json(cluster));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  result["simulation"]["memory_kib"] = usage.ru_maxrss;
  if (!report.quiet) (report.json == "-" ? std::cerr : std::cout) << text_of(result);
  apps::write_output("--json", report.json, [&](std::ostream& stream) {
    const ordered_json json{{"program", "belay-sim"}, {"config", config}, {"result", result}};
    // Any bytes make the name of the file of lengths.
    stream << json.dump(2, ' ', false, ordered_json::error_handler_t::replace) << '\n';
  });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run_program<bench::OneRank>("belay-sim", argc, argv, simulate);
}
