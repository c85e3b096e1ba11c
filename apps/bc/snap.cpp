// SNAP edge lists.
#include <stdexcept>
#include <utility>

#include "apps/bc/graph_formats.hpp"
#include "apps/bc/graph_text.hpp"
#include "apps/bc/parallel.hpp"
#include "apps/bc/vertex_ids.hpp"

namespace apps {

namespace {

NamedEdge parse_edge(Line& line) {
  NamedEdge edge{};
  edge.from = line.number("from", 0, UINT64_MAX);
  edge.to = line.number("to", 0, UINT64_MAX);
  if (!line.at_end()) line.skip_number<double>("weight", "a number or nothing");
  line.end();
  return edge;
}

}  // namespace

Graph parse_snap(std::string_view text, GraphOptions options) {
  const std::vector<std::string_view> pieces = cut(text);
  std::vector<std::vector<NamedEdge>> named(pieces.size());
  for_each_piece(pieces, [&](std::string_view piece, std::size_t i) {
    named[i].reserve(count_lines(piece));
    while (!piece.empty()) {
      Line line = take_line(piece);
      if (!line.is_blank_or('#')) named[i].push_back(parse_edge(line));
    }
  });

  VertexIds ids(named, text.size());
  if (ids.size() == 0) throw std::invalid_argument("no edges; allowed: one or more");
  EdgeList edges(pieces.size());
  for_each_index(pieces.size(), [&](std::size_t i) {
    edges[i].reserve(named[i].size());
    for (const NamedEdge& edge : named[i]) {
      edges[i].push_back({ids.number(edge.from), ids.number(edge.to)});
    }
    named[i] = {};
  });
  const std::uint64_t vertices = ids.size();
  return {vertices, std::move(edges), options, ids.take_labels()};
}

}  // namespace apps
