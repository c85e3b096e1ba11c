// The frame of the peers of uts: programs that count the same trees with the same code, each
// with another scheduler. They take uts's tree options, --threads, --hash, --quiet and --json
// and report under the same keys. They know nothing of MPI.
#pragma once

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "apps/common/options.hpp"
#include "apps/common/program.hpp"
#include "apps/uts/count_report.hpp"
#include "apps/uts/tree_options.hpp"
#include "apps/uts/uts.hpp"

namespace bench {

// What each thread counted, on cache lines of its own.
struct alignas(64) Tally {
  apps::UtsResult result;
};
using Tallies = std::vector<Tally>;

struct PeerOptions : apps::ReportOptions {
  apps::TreeOptions tree;
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::uint32_t batch = 0;  // nodes per task; 0: a task per node
};

// What a program over several ranks learns from a belay::Session.
class OneRank {
 public:
  OneRank(int /*argc*/, char** /*argv*/) {}
  [[nodiscard]] static int rank() { return 0; }
  [[nodiscard]] static std::string broadcast(std::string value) { return value; }
};

inline std::string host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

// A task expands one inner node, so that their numbers are equal.
inline belay::Statistics statistics_of(const Tallies& tallies, double seconds) {
  belay::RankStatistics rank;
  rank.host = host();
  for (const Tally& tally : tallies) {
    belay::WorkerStatistics worker;
    worker.tasks = tally.result.nodes - tally.result.leaves;
    rank.workers.push_back(worker);
  }
  return {seconds, {std::move(rank)}};
}

// A peer: its name, what it counts with, the most threads, and whether it can batch.
struct Peer {
  std::string name;
  std::string scheduler;
  int max_threads = 4096;
  bool batches = true;
};

// count(problem, options) returns the tallies of all threads.
template <class Count>
int run_peer(const Peer& peer, int argc, char** argv, Count count) {
  return apps::run_program<OneRank>(
      peer.name, argc, argv, [&](const OneRank& session, int the_argc, char** the_argv) {
        CLI::App app("Counts the nodes of an unbalanced tree " + peer.scheduler + '.', peer.name);
        PeerOptions options;
        options.threads = std::min(options.threads, peer.max_threads);
        apps::add_tree_options(app, options.tree);
        if (peer.batches) {
          apps::add_number(app, "--batch", options.batch, 1,
                           std::numeric_limits<std::uint32_t>::max(),
                           "nodes that a task expands before it gives half of its stack away; "
                           "default: a task per node");
        }
        apps::add_plain_options(app, options.threads, peer.max_threads,
                                "default: one per processing unit", options);
        if (const auto status = apps::parse(session, app, options, the_argc, the_argv)) {
          return *status;
        }

        const apps::UtsProblem problem(options.tree.parameters, options.tree.hash);
        const auto start = std::chrono::steady_clock::now();
        const Tallies tallies = count(problem, options);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;

        apps::UtsResult result;
        for (const Tally& tally : tallies) {
          apps::UtsProblem::reduce(result, apps::UtsResult(tally.result));
        }
        nlohmann::ordered_json config;
        if (options.batch > 0) config["batch"] = options.batch;
        apps::publish_count({.program = peer.name,
                             .config = config,
                             .statistics = statistics_of(tallies, time.count())},
                            options.tree, result, options);
        return apps::is_right(result, options.tree) ? 0 : apps::kFailed;
      });
}

// A batch: up to options.batch nodes of the stack, depth first. Returns what is to be given
// away afterwards, half of what is left: the same split as belay's.
inline std::vector<apps::Node> work_off_batch(const apps::UtsProblem& problem,
                                              std::vector<apps::Node>& stack,
                                              const PeerOptions& options, Tally& tally) {
  for (std::uint32_t i = 0; i < options.batch && !stack.empty(); ++i) {
    const apps::Node node = stack.back();
    stack.pop_back();
    problem.expand(node, tally.result, [&](const apps::Node& child) { stack.push_back(child); });
  }
  return problem.split(stack, belay::Share::half());
}

}  // namespace bench
