// Graphs from files: Matrix Market, SNAP edge lists and METIS, each as it is or through gzip.
//
// Matrix Market: the pattern of a square matrix in coordinate form, entry (i, j) being an edge
//   from i to j whatever its value; a symmetric matrix means each of its entries both ways. See
//   math.nist.gov/MatrixMarket/formats.html.
// SNAP: "from to" per line, with one number more (a weight or a time) allowed; comments begin
//   with #. Ids are any from 0 to 2^64 - 1; the vertices are those that occur, in the order of
//   their ids. See snap.stanford.edu/data.
// METIS: the neighbours of one vertex per line, as in the manual of METIS 5; each edge must be
//   listed by both its ends. An empty line is a vertex without edges.
//
// Weights are read and dropped. Read as directed, a format whose graphs are undirected gives each
// edge in both directions.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "apps/bc/graph.hpp"
#include "apps/common/file_bytes.hpp"

namespace apps {

enum class GraphFormat : std::uint8_t {
  automatic,  // by the name's end: .mtx; .graph or .metis; .txt, .el, .snap or .edges. Before .gz
  matrix_market,
  snap,
  metis
};

// What is wrong with an input and what is allowed, as one printable line: "PATH:LINE: ...", or
// "PATH: ..." where no line is to blame. Of several wrong lines it is the first.
class GraphError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// Throw GraphError. Nothing is allocated for what is only promised: neither for more text (once
// unpacked) nor for more vertices without edges than memory_bytes hold.
[[nodiscard]] Graph read_graph(const std::string& path, GraphFormat format, GraphOptions options,
                               std::uint64_t memory_bytes = default_memory_bytes());
// The same for the bytes of a file; `name` is what errors call it.
[[nodiscard]] Graph parse_graph(std::string_view bytes, GraphFormat format, GraphOptions options,
                                const std::string& name,
                                std::uint64_t memory_bytes = default_memory_bytes());

}  // namespace apps
