// bc-static: betweenness centrality of all vertices of a graph that is divided in advance, into
// ranges of as many vertices each.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "apps/bc/bc.hpp"
#include "apps/bc/graph_options.hpp"
#include "bench/peer.hpp"
#include "bench/static_division.hpp"

int main(int argc, char** argv) {
  apps::GraphSource source;
  int parts = 0;
  return bench::run_peer(
      {"bc-static", "Betweenness centrality of every vertex of a graph, divided in advance."}, argc,
      argv,
      [&](CLI::App& app) {
        apps::add_graph_options(app, source);
        bench::add_parts_option(app, parts);
      },
      [&](int threads, apps::Report& report) {
        if (parts == 0) parts = threads;
        const apps::Graph graph = apps::make_graph(source);
        const apps::BcProblem problem(graph);
        bench::DoneParts<apps::BcProblem> done;
        const double seconds = bench::seconds_of([&] {
          done = bench::work_off(problem, parts, threads,
                                 [&](int part) { return problem.part(part, parts); });
        });

        std::vector<std::uint64_t> vertices;
        std::vector<std::uint64_t> arcs;
        vertices.reserve(done.results.size());
        arcs.reserve(done.results.size());
        for (int part = 0; part < parts; ++part)
          vertices.push_back(problem.part(part, parts).size());
        for (const apps::BcResult& part : done.results) {
          arcs.push_back(part.arcs.empty() ? 0 : part.arcs.front());
        }
        report.config = to_json(source);
        report.statistics = bench::statistics_of(vertices, seconds);
        report.result = {{"vertices", graph.vertices()},
                         {"edges", graph.edges()},
                         {"arcs", std::accumulate(arcs.begin(), arcs.end(), std::uint64_t{0})},
                         {"arcs_of_parts", arcs},
                         {"seconds_of_parts", done.seconds}};
        report.counted = "arcs";
      });
}
