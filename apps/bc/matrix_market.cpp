// Matrix Market: "%%MatrixMarket matrix coordinate FIELD SYMMETRY", comments, "ROWS COLUMNS
// ENTRIES", then one entry per line, counted from 1. Comments and blank lines may also stand among
// the entries.
#include <atomic>
#include <string>
#include <utility>

#include "apps/bc/graph_formats.hpp"
#include "apps/bc/graph_text.hpp"

namespace apps {

namespace {

enum class Field : std::uint8_t { pattern, real, integer };

struct Banner {
  Field field;
  bool symmetric;
  Vertex vertices;
};

Banner parse_banner(Line line) {
  line.choice("first word", {"%%MatrixMarket"});
  line.choice("object", {"matrix"});
  line.choice("layout", {"coordinate"});
  const auto field = static_cast<Field>(line.choice("field", {"pattern", "real", "integer"}));
  const bool symmetric = line.choice("symmetry", {"general", "symmetric", "skew-symmetric"}) > 0;
  line.end();
  return {field, symmetric, 0};
}

Edge parse_entry(Line& line, const Banner& banner) {
  const std::uint64_t row = line.number("row", 1, banner.vertices);
  const std::uint64_t column = line.number("column", 1, banner.vertices);
  if (banner.field == Field::real) line.skip_number<double>("value", "a number");
  if (banner.field == Field::integer) line.skip_number<std::int64_t>("value", "a whole number");
  line.end();
  return {static_cast<Vertex>(row - 1), static_cast<Vertex>(column - 1)};
}

}  // namespace

Graph parse_matrix_market(std::string_view text, GraphOptions options, std::uint64_t memory_bytes) {
  constexpr char kComment = '%';
  if (text.empty()) throw std::invalid_argument("is empty; allowed: a Matrix Market file");
  Banner banner = parse_banner(take_line(text));

  Line sizes = take_header(text, kComment, "numbers of rows, columns and entries");
  const std::uint64_t rows = sizes.number("rows", 1, kMaxVertices);
  sizes.number("columns of an adjacency matrix", rows, rows);
  const std::uint64_t entries = sizes.number("entries", 0, UINT64_MAX);
  sizes.end();
  constexpr std::uint64_t kBytesPerVertex = 2 * sizeof(std::uint64_t);  // while it is built
  if (rows > memory_bytes / kBytesPerVertex) {
    sizes.refuse(
        "rows = " + std::to_string(rows) +
        " are more than memory has room for, allowed: " + range(1, memory_bytes / kBytesPerVertex));
  }
  banner.vertices = static_cast<Vertex>(rows);

  const std::vector<std::string_view> pieces = cut(text);
  const bool both_ways = banner.symmetric && options.directed;
  EdgeList edges(pieces.size());
  std::atomic<std::uint64_t> found = 0;
  for_each_piece(pieces, [&](std::string_view piece, std::size_t i) {
    std::uint64_t found_here = 0;
    edges[i].reserve(count_lines(piece) * (both_ways ? 2 : 1));
    while (!piece.empty()) {
      Line line = take_line(piece);
      if (line.is_blank_or(kComment)) continue;
      const Edge edge = parse_entry(line, banner);
      edges[i].push_back(edge);
      if (both_ways) edges[i].push_back({edge.to, edge.from});
      ++found_here;
    }
    found.fetch_add(found_here, std::memory_order_relaxed);
  });
  if (found != entries) {
    sizes.refuse("entries = " + std::to_string(entries) + ", allowed: " + std::to_string(found) +
                 ", as many as follow");
  }
  return {rows, std::move(edges), options, {.first = 1, .names = {}}};
}

}  // namespace apps
