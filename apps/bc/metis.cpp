// METIS: "VERTICES EDGES [FMT [NCON]]", then for each vertex a line of its neighbours, counted from
// 1. The digits of FMT say whether a line begins with a size, whether then come weights of the
// vertex (NCON of them), and whether each neighbour is followed by the weight of the edge.
//
// The neighbours with greater numbers make the graph; those with smaller ones are held against it.
#include <algorithm>
#include <string>
#include <utility>

#include "apps/bc/graph_formats.hpp"
#include "apps/bc/graph_text.hpp"

namespace apps {

namespace {

constexpr char kComment = '%';

struct Header {
  Vertex vertices = 0;
  std::uint64_t edges = 0;
  std::uint64_t numbers_before = 0;  // sizes and weights at the begin of a line
  bool edge_weights = false;
};

// A piece of text, and what its lines list.
struct Lists {
  std::uint64_t begin = 0;  // the vertices
  std::uint64_t end = 0;
  std::vector<Edge> smaller;  // from is the vertex; in the order of the lines
};

Header parse_header(Line& line) {
  Header header;
  header.vertices = static_cast<Vertex>(line.number("vertices", 1, kMaxVertices));
  header.edges = line.number("edges", 0, UINT64_MAX / 2);
  const std::uint64_t format = line.at_end() ? 0 : line.number("fmt", 0, 111);
  if (format % 10 > 1 || format / 10 % 10 > 1) {
    line.refuse("fmt = " + std::to_string(format) + ", allowed: up to three digits, each 0 or 1");
  }
  const bool sizes = format >= 100;
  const bool vertex_weights = format / 10 % 10 == 1;
  header.edge_weights = format % 10 == 1;
  std::uint64_t weights = vertex_weights ? 1 : 0;
  if (!line.at_end()) weights = line.number("ncon", weights, vertex_weights ? kMaxVertices : 0);
  header.numbers_before = weights + (sizes ? 1 : 0);
  line.end();
  return header;
}

// Calls f(line, vertex) for the lines of a piece.
template <class F>
void for_each_list(std::string_view piece, std::uint64_t vertex, const F& f) {
  while (!piece.empty()) {
    Line line = take_line(piece);
    if (!line.begins_with(kComment)) f(line, vertex++);
  }
}

// Which lines list which vertices. Throws BadLine about `header` if there are too few.
std::vector<Lists> number_lists(const std::vector<std::string_view>& pieces, const Line& header,
                                std::uint64_t vertices) {
  std::vector<Lists> lists(pieces.size());
  for_each_piece(pieces, [&](std::string_view piece, std::size_t i) {
    for_each_list(piece, 0, [&](Line&, std::uint64_t) { ++lists[i].end; });
  });
  std::uint64_t lines = 0;
  for (Lists& piece : lists) {
    piece.begin = lines;
    lines = piece.end += lines;
  }
  // The last line may lack its end, even if it is empty.
  const bool one_more = pieces.empty() || pieces.back().back() == '\n';
  if (vertices > lines + (one_more ? 1 : 0)) {
    header.refuse("vertices = " + std::to_string(vertices) + ", allowed: " + std::to_string(lines) +
                  ", as many as lines follow");
  }
  if (!lists.empty()) lists.back().end = vertices;
  return lists;
}

void parse_list(Line& line, std::uint64_t vertex, const Header& header, bool both_ways,
                std::vector<Edge>& edges, std::vector<Edge>& smaller) {
  if (vertex >= header.vertices) {
    if (line.at_end()) return;
    line.refuse("one line too many, allowed: " + std::to_string(header.vertices) +
                ", one per vertex");
  }
  const auto from = static_cast<Vertex>(vertex);
  for (std::uint64_t i = 0; i < header.numbers_before; ++i) {
    line.number("size or weight of the vertex", 0, UINT64_MAX);
  }
  while (!line.at_end()) {
    const auto to = static_cast<Vertex>(line.number("neighbour", 1, header.vertices) - 1);
    if (header.edge_weights) line.number("weight of an edge", 0, UINT64_MAX);
    if (to == from) {
      line.refuse("vertex " + std::to_string(vertex + 1) + " lists itself, allowed: others");
    }
    if (to < from) smaller.push_back({from, to});
    if (to > from) edges.push_back({from, to});
    if (to > from && both_ways) edges.push_back({to, from});
  }
}

// Throws BadLine about the line of `vertex` in the piece.
[[noreturn]] void refuse_list(std::string_view piece, const Lists& lists, std::uint64_t vertex,
                              std::uint64_t other, const std::string& how_often) {
  const auto listing = [](std::uint64_t a, std::uint64_t b) {
    return "vertex " + std::to_string(a + 1) + " lists " + std::to_string(b + 1);
  };
  const std::string what =
      listing(vertex, other) + how_often + listing(other, vertex) + ", allowed: as often";
  for_each_list(piece, lists.begin, [&](const Line& line, std::uint64_t v) {
    if (v == vertex) line.refuse(what);
  });
  throw BadLine{piece.data() + piece.size(), what};  // the last line, which lacks its end
}

// Does the other end list each edge too? `graph` is made of one end's word.
void check_both_ends(std::string_view piece, Lists& lists, const Graph& graph, bool multi) {
  auto next = lists.smaller.begin();
  for (std::uint64_t v = lists.begin; v < lists.end; ++v) {
    const auto begin = next;
    next = std::find_if(begin, lists.smaller.end(), [v](const Edge& e) { return e.from != v; });
    std::sort(begin, next, [](const Edge& a, const Edge& b) { return a.to < b.to; });
    const auto end = multi ? next : std::unique(begin, next);

    const auto row = graph.neighbours(static_cast<Vertex>(v));
    const auto row_end = std::lower_bound(row.begin(), row.end(), v);
    const auto [listed, in_row] =
        std::mismatch(begin, end, row.begin(), row_end,
                      [](const Edge& edge, Vertex neighbour) { return edge.to == neighbour; });
    if (listed == end && in_row == row_end) continue;
    const bool lists_more = in_row == row_end || (listed != end && listed->to < *in_row);
    refuse_list(piece, lists, v, lists_more ? listed->to : *in_row,
                lists_more ? " more often than " : " less often than ");
  }
}

}  // namespace

Graph parse_metis(std::string_view text, GraphOptions options) {
  Line first = take_header(text, kComment, "numbers of vertices and edges");
  const Header header = parse_header(first);
  const std::vector<std::string_view> pieces = cut(text);
  std::vector<Lists> lists = number_lists(pieces, first, header.vertices);

  EdgeList edges(pieces.size());
  for_each_piece(pieces, [&](std::string_view piece, std::size_t i) {
    for_each_list(piece, lists[i].begin, [&](Line& line, std::uint64_t vertex) {
      parse_list(line, vertex, header, options.directed, edges[i], lists[i].smaller);
    });
  });
  std::uint64_t entries = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    entries += edges[i].size() / (options.directed ? 2 : 1) + lists[i].smaller.size();
  }
  if (entries != 2 * header.edges) {
    first.refuse("edges = " + std::to_string(header.edges) + ", allowed: half of the " +
                 std::to_string(entries) + " entries that follow");
  }

  Graph graph(header.vertices, std::move(edges), options, {.first = 1, .names = {}});
  for_each_piece(pieces, [&](std::string_view piece, std::size_t i) {
    check_both_ends(piece, lists[i], graph, options.multi);
  });
  return graph;
}

}  // namespace apps
