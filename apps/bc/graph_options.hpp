// The graph of a program: read from a file, or drawn, as the command line says.
#pragma once

#include <CLI/CLI.hpp>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
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

// Collective: the graph on every rank, read by rank 0 alone or drawn by each. What is wrong on one
// rank is thrown on all. Session: has rank(), largest(value) and broadcast(value), rank 0's.
template <class Session>
Graph make_graph(const Session& session, const GraphSource& source) {
  std::optional<Graph> graph;
  std::string wrong;
  const bool is_read = !source.file.empty();
  if (!is_read || session.rank() == 0) {
    try {
      graph = make_graph(source);
    } catch (const std::exception& error) {
      wrong = error.what();
    }
  }
  if (session.largest(wrong.empty() ? 0 : 1) != 0) {
    throw GraphError(wrong.empty() ? "another rank has no graph" : wrong);
  }
  if (!is_read) return std::move(*graph);
  return session.broadcast(graph ? std::move(*graph) : Graph(0, {}, {}));
}

}  // namespace apps
