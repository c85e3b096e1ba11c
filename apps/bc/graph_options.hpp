// The graph of a program: read from a file, or drawn, as the command line says.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "apps/bc/graph.hpp"
#include "apps/bc/graph_file.hpp"
#include "apps/bc/rmat.hpp"

namespace apps {

struct GraphSource {
  std::string file;  // empty: drawn
  GraphFormat format = GraphFormat::automatic;
  RmatParameters rmat{};
  GraphOptions options{};
};

// Adds FILE and --format, or --rmat, --edge-factor and --graph-seed; --directed and --multi.
// `source` must live as long as `app`.
void add_graph_options(CLI::App& app, GraphSource& source);

[[nodiscard]] nlohmann::ordered_json to_json(const GraphSource& source);

// The graph as this process makes it. Throws GraphError or std::invalid_argument.
[[nodiscard]] Graph make_graph(const GraphSource& source);

// Collective: the graph on every rank. Only rank 0 needs to see the file; what is wrong with it is
// thrown on all ranks. Session: has rank() and broadcast(value), which gives rank 0's value.
template <class Session>
Graph make_graph(const Session& session, const GraphSource& source) {
  if (source.file.empty()) return make_graph(source);
  std::optional<Graph> graph;
  std::string wrong;
  if (session.rank() == 0) {
    try {
      graph = make_graph(source);
    } catch (const GraphError& error) {
      wrong = error.what();
    }
  }
  wrong = session.broadcast(std::move(wrong));
  if (!wrong.empty()) throw GraphError(wrong);
  return session.broadcast(graph ? std::move(*graph) : Graph(0, {}, {}));
}

}  // namespace apps
