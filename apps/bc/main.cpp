// bc: betweenness centrality of every vertex of a graph, over all ranks and threads.
#include <oneapi/tbb/global_control.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <belay/belay.hpp>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "apps/bc/bc.hpp"
#include "apps/bc/graph_options.hpp"
#include "apps/bc/textbook_brandes.hpp"
#include "apps/common/options.hpp"
#include "apps/common/stoppable.hpp"

namespace {

struct BcOptions : apps::CommonOptions {
  apps::GraphSource graph;
  std::uint32_t top = 10;
  std::string scores;  // file; empty: none
};

// The shortest text that gives the number again.
std::string text_of(double number) {
  std::array<char, 32> text{};
  char* const end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

// The vertices with the highest scores, highest first, and of equals the first ones.
std::vector<apps::Vertex> top_vertices(const std::vector<double>& scores, std::size_t count) {
  std::vector<apps::Vertex> vertices(scores.size());
  std::iota(vertices.begin(), vertices.end(), apps::Vertex{0});
  count = std::min(count, vertices.size());
  const auto end = vertices.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(vertices.begin(), end, vertices.end(), [&](apps::Vertex a, apps::Vertex b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  vertices.resize(count);
  return vertices;
}

void tell_scores(const apps::BcResult& result, const apps::Graph& graph, std::uint32_t top,
                 apps::Report& report) {
  const std::uint64_t arcs =
      std::accumulate(result.arcs.begin(), result.arcs.end(), std::uint64_t{0});
  nlohmann::ordered_json best = nlohmann::ordered_json::array();
  for (const apps::Vertex v : top_vertices(result.scores, top)) {
    best.push_back({{"vertex", graph.label(v)}, {"score", result.scores[v]}});
    report.details += "vertex " + graph.label(v) + ": " + text_of(result.scores[v]) + '\n';
  }
  report.result = {{"vertices", graph.vertices()},
                   {"edges", graph.edges()},
                   {"TEPS", static_cast<double>(arcs) / report.statistics.seconds},
                   {"arcs", arcs},
                   {"arcs_of_workers", result.arcs},
                   {"top", best}};
  report.counted = "arcs";
}

int bc(belay::Session& session, const apps::StopOnSignal& stop, int argc, char** argv) {
  CLI::App app(
      "Betweenness centrality of every vertex of a graph: the share of all shortest paths that "
      "lead "
      "through it, summed over all pairs of other vertices.",
      "bc");
  BcOptions options;
  apps::add_graph_options(app, options.graph);
  options.inputs.push_back(&options.graph.file);
  apps::add_number(app, "--top", options.top, 0, std::numeric_limits<std::uint32_t>::max(),
                   "vertices to name, those with the highest scores; default 10");
  apps::add_output(app, options, "--scores", options.scores,
                   "write a line \"VERTEX SCORE\" per vertex there, - for stdout; default: none");
  apps::add_common_options(app, options);
  if (const auto status = apps::parse(session, app, options, argc, argv)) return *status;

  // Ranks that share a host draw or read beside each other.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(session.cores().count()));
  const apps::Graph graph = make_graph(session, options.graph);
  const apps::BcProblem problem(graph);
  return apps::run_and_report(
      session, stop, options, {.program = "bc", .config = to_json(options.graph)}, problem,
      belay::on_each_rank(problem.part(session.rank(), session.size())),
      [&](apps::BcResult& result, apps::Report& report) {
        problem.finish(result);
        tell_scores(result, graph, options.top, report);
        if (options.verify) {
          const double difference =
              apps::largest_difference(result.scores, apps::textbook_betweenness(graph));
          report.check = {difference <= apps::kScoreTolerance,
                          "as the textbook's algorithm has it, but for " + text_of(difference),
                          "a difference of at most " + text_of(apps::kScoreTolerance)};
        }
        report.finally = [&] {
          apps::write_output("--scores", options.scores, [&](std::ostream& out) {
            for (apps::Vertex v = 0; v < graph.vertices(); ++v) {
              out << graph.label(v) << ' ' << text_of(result.scores[v]) << '\n';
            }
          });
        };
      });
}

}  // namespace

int main(int argc, char** argv) { return apps::run_stoppable_program("bc", argc, argv, bc); }
