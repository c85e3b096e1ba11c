// The peers of nqueens: programs that count the same boards with the same code. They take N and
// --cutoff; what all peers have in common stands in bench/peer.hpp.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <vector>

#include "apps/nqueens/nqueens.hpp"
#include "apps/nqueens/queens_options.hpp"
#include "bench/peer.hpp"

namespace bench {

// What each thread counted, on cache lines of its own.
struct alignas(64) Tally {
  std::uint64_t solutions = 0;
  std::uint64_t tasks = 0;
};
using Tallies = std::vector<Tally>;

// count(problem, threads) returns the tallies of all threads.
template <class Count>
int run_queens_peer(const Peer& peer, int argc, char** argv, Count count) {
  apps::QueensOptions options;
  return run_peer(
      peer, argc, argv, [&](CLI::App& app) { apps::add_queens_options(app, options); },
      [&](int threads, apps::Report& report) {
        const apps::NQueens problem(options.n, options.cutoff);
        Tallies tallies;
        const double seconds = seconds_of([&] { tallies = count(problem, threads); });

        std::uint64_t solutions = 0;
        std::vector<std::uint64_t> tasks;
        tasks.reserve(tallies.size());
        for (const Tally& tally : tallies) {
          solutions += tally.solutions;
          tasks.push_back(tally.tasks);
        }
        report.config = to_json(problem);
        report.statistics = statistics_of(tasks, seconds);
        tell_solutions(solutions, problem, report);
      });
}

}  // namespace bench
