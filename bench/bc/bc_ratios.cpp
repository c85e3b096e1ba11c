// bc-ratios: betweenness centrality beside igraph's, and beside a division in advance.
//
// Round after round the same graph is worked off by igraph on one thread, by belay with one worker
// and with several, and by as many threads of which each has its equal part of the vertices from
// the start, as the benchmark's own program divides them. Shown are the medians of the times, of
// their ratios within a round, and of how far the busiest thread's work, in arcs followed, is above
// the mean, all of it: the first threads to end wait for the last one.
#include <igraph/igraph.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <belay/belay.hpp>
#include <chrono>
#include <cstddef>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "apps/bc/bc.hpp"
#include "apps/bc/graph_options.hpp"
#include "apps/bc/textbook_brandes.hpp"
#include "apps/common/options.hpp"
#include "apps/common/program.hpp"
#include "bench/bc/igraph_scores.hpp"
#include "bench/median.hpp"
#include "bench/static_division.hpp"

namespace {

struct Options {
  apps::GraphSource graph;
  int rounds = 5;
  int threads = static_cast<int>(std::max(2U, std::thread::hardware_concurrency()));
};

struct Measured {
  double seconds = 0;
  apps::BcResult result{};
};

template <class Call>
Measured measure(Call&& call) {
  const auto start = std::chrono::steady_clock::now();
  apps::BcResult result = call();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return {time.count(), std::move(result)};
}

apps::BcResult by_belay(belay::Session& session, const apps::BcProblem& problem, int threads) {
  belay::Parameters parameters;
  parameters.threads = threads;
  auto result = belay::run(session, problem, belay::at_root(problem.part(0, 1)), parameters);
  problem.finish(result);
  return result;
}

apps::BcResult in_advance(const apps::BcProblem& problem, int threads) {
  auto results = bench::work_off(problem, threads, threads, [&](int part) {
                   return problem.part(part, threads);
                 }).results;
  for (std::size_t i = 1; i < results.size(); ++i) {
    apps::BcProblem::reduce(results[0], std::move(results[i]));
  }
  problem.finish(results[0]);
  return std::move(results[0]);
}

// The busiest thread's arcs above the mean, in percent of it.
double excess(const apps::BcResult& result, int threads) {
  const auto& arcs = result.arcs;
  if (arcs.empty()) return 0;
  const auto most = static_cast<double>(*std::max_element(arcs.begin(), arcs.end()));
  const double sum = std::accumulate(arcs.begin(), arcs.end(), 0.0);
  return sum > 0 ? 100 * (most * threads / sum - 1) : 0;
}

struct Row {
  std::string who;
  std::vector<double> seconds{}, over_igraph{}, over_one{}, excess{};
};

void add(Row& row, const Measured& measured, double igraph, double one, int threads) {
  row.seconds.push_back(measured.seconds);
  row.over_igraph.push_back(igraph / measured.seconds);
  row.over_one.push_back(one / measured.seconds);
  row.excess.push_back(excess(measured.result, threads));
}

void print(const Row& row) {
  std::cout << std::left << std::setw(28) << row.who << std::right << std::fixed
            << std::setprecision(3) << std::setw(9) << bench::median(row.seconds)
            << std::setprecision(2) << std::setw(13) << bench::median(row.over_igraph)
            << std::setw(14) << bench::median(row.over_one) << std::setw(13)
            << bench::median(row.excess) << " %\n";
}

int bc_ratios(belay::Session& session, int argc, char** argv) {
  CLI::App app("Betweenness centrality by belay, by igraph and by a division in advance.",
               "bc-ratios");
  Options options;
  options.graph.rmat.scale = 14;
  apps::ReportOptions none;
  apps::add_graph_options(app, options.graph);
  apps::add_number(app, "--rounds", options.rounds, 1, 1000, "default 5");
  apps::add_number(app, "--threads", options.threads, 2, 4096, "workers; default all cores");
  if (const auto status = apps::parse(session, app, none, argc, argv)) return *status;
  if (session.size() > 1) throw std::invalid_argument("this is for one rank");

  const apps::Graph graph = apps::make_graph(options.graph);
  const bench::IgraphGraph theirs(graph);
  const apps::BcProblem problem(graph);
  const std::string many = std::to_string(options.threads);
  Row igraph{"igraph"};
  Row one{"belay, 1 worker"};
  Row all{"belay, " + many + " workers"};
  Row divided{"divided in advance, " + many};
  for (int round = 0; round < options.rounds; ++round) {
    const Measured i = measure([&] { return apps::BcResult{theirs.scores(), {}}; });
    const Measured b1 = measure([&] { return by_belay(session, problem, 1); });
    const Measured bn = measure([&] { return by_belay(session, problem, options.threads); });
    const Measured d = measure([&] { return in_advance(problem, options.threads); });
    for (const Measured* each : {&b1, &bn, &d}) {
      if (apps::largest_difference(i.result.scores, each->result.scores) > apps::kScoreTolerance) {
        throw std::runtime_error("scores differ from igraph's");
      }
    }
    add(igraph, i, i.seconds, b1.seconds, 1);
    add(one, b1, i.seconds, b1.seconds, 1);
    add(all, bn, i.seconds, b1.seconds, options.threads);
    add(divided, d, i.seconds, b1.seconds, options.threads);
  }
  std::cout << graph.vertices() << " vertices, " << graph.edges() << " edges, medians of "
            << options.rounds << "\n                              seconds  over igraph  over 1 "
            << "worker  busiest above\n";
  for (const Row* row : {&igraph, &one, &all, &divided}) print(*row);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run_program<belay::Session>("bc-ratios", argc, argv, bc_ratios);
}
