// The peers of uts: programs that count the same trees with the same code. They take uts's tree
// options and --hash; what all peers have in common stands in bench/peer.hpp.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "apps/uts/count_report.hpp"
#include "apps/uts/tree_options.hpp"
#include "apps/uts/uts.hpp"
#include "bench/peer.hpp"

namespace bench {

// What each thread counted, on cache lines of its own.
struct alignas(64) Tally {
  apps::UtsResult result;
};
using Tallies = std::vector<Tally>;

struct UtsPeerOptions {
  apps::TreeOptions tree;
  int threads = 1;
  std::uint32_t batch = 0;  // nodes per task; 0: a task per node
};

// Its name, what it counts with, the most threads, and whether it can batch.
struct UtsPeer {
  std::string name;
  std::string scheduler;
  int max_threads = 4096;
  bool batches = true;
};

// count(problem, options) returns the tallies of all threads.
template <class Count>
int run_uts_peer(const UtsPeer& peer, int argc, char** argv, Count count) {
  UtsPeerOptions options;
  return run_peer(
      {peer.name, "Counts the nodes of an unbalanced tree " + peer.scheduler + '.',
       peer.max_threads},
      argc, argv,
      [&](CLI::App& app) {
        apps::add_tree_options(app, options.tree);
        if (!peer.batches) return;
        apps::add_number(app, "--batch", options.batch, 1,
                         std::numeric_limits<std::uint32_t>::max(),
                         "nodes that a task expands before it gives half of its stack away; "
                         "default: a task per node");
      },
      [&](int threads, apps::Report& report) {
        options.threads = threads;
        const apps::UtsProblem problem(options.tree.parameters, options.tree.hash);
        Tallies tallies;
        const double seconds = seconds_of([&] { tallies = count(problem, options); });

        apps::UtsResult result;
        std::vector<std::uint64_t> tasks;  // each expands one inner node
        tasks.reserve(tallies.size());
        for (const Tally& tally : tallies) {
          apps::UtsProblem::reduce(result, apps::UtsResult(tally.result));
          tasks.push_back(tally.result.nodes - tally.result.leaves);
        }
        report.config = to_json(options.tree);
        if (options.batch > 0) report.config["batch"] = options.batch;
        report.statistics = statistics_of(tasks, seconds);
        tell_count(result, options.tree, report);
      });
}

// A batch: up to options.batch nodes of the stack, depth first. Returns what is to be given
// away afterwards, half of what is left: the same split as belay's.
inline std::vector<apps::Node> work_off_batch(const apps::UtsProblem& problem,
                                              std::vector<apps::Node>& stack,
                                              const UtsPeerOptions& options, Tally& tally) {
  for (std::uint32_t i = 0; i < options.batch && !stack.empty(); ++i) {
    const apps::Node node = stack.back();
    stack.pop_back();
    problem.expand(node, tally.result, [&](const apps::Node& child) { stack.push_back(child); });
  }
  return problem.split(stack, belay::Share::half());
}

}  // namespace bench
