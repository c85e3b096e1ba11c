// measure-vertices: how long each vertex of a graph takes as a source of betweenness centrality,
// for simulations.
//
//   measure-vertices --rmat 14 --lengths vertices.txt
//   belay-sim tasks vertices.txt
//
// One thread works off vertex after vertex and writes a number for each, in ns, in the order of the
// vertices. Of several rounds over all of them a vertex's shortest time counts: what happens
// besides on a machine can only make it longer.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "apps/bc/bc.hpp"
#include "apps/bc/graph_options.hpp"
#include "apps/common/options.hpp"
#include "apps/common/program.hpp"
#include "belay/core/quantum.hpp"
#include "belay/intra/clock.hpp"
#include "bench/peer.hpp"

namespace {

std::vector<std::int64_t> measure(const apps::Graph& graph, int rounds) {
  const apps::BcProblem problem(graph);
  auto search = problem.make_local();
  auto scores = problem.identity();
  const std::atomic<bool> never{false};
  std::vector<std::int64_t> shortest_ns(graph.vertices(), std::numeric_limits<std::int64_t>::max());
  for (int round = 0; round < rounds; ++round) {
    auto vertices = problem.part(0, 1);
    belay::Quantum none(never, 0);
    problem.process(vertices, search, scores, none);  // makes room for the scores
    for (std::int64_t& vertex_ns : shortest_ns) {
      belay::Quantum one(never, 1);
      const std::int64_t start_ns = belay::now_ns();
      problem.process(vertices, search, scores, one);
      vertex_ns = std::min(vertex_ns, belay::now_ns() - start_ns);
    }
  }
  return shortest_ns;
}

int measure_vertices(const bench::OneRank& session, int argc, char** argv) {
  CLI::App app("How long each vertex of a graph takes as a source of betweenness centrality.",
               "measure-vertices");
  apps::GraphSource source;
  apps::ReportOptions files;
  files.inputs.push_back(&source.file);
  std::string lengths = "-";
  int rounds = 1;
  apps::add_graph_options(app, source);
  apps::add_number(app, "--rounds", rounds, 1, 1000,
                   "over all vertices, of which the shortest time of each counts; default 1");
  apps::add_output(app, files, "--lengths", lengths,
                   "write a line with the ns of each vertex there; default: stdout");
  if (const auto status = apps::parse(session, app, files, argc, argv)) return *status;

  const std::vector<std::int64_t> lengths_ns = measure(apps::make_graph(source), rounds);
  apps::write_output("--lengths", lengths, [&](std::ostream& out) {
    for (const std::int64_t length_ns : lengths_ns) out << length_ns << '\n';
  });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run_program<bench::OneRank>("measure-vertices", argc, argv, measure_vertices);
}
