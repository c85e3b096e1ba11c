// Feeds the parsers of graph files with what libFuzzer makes up.
//
// The first byte, a digit or a few characters behind, is the format plus 3 times the options; the
// rest is the file. Whatever it is, a well-formed graph must come out or one printable line, and no
// more memory be taken than it warrants. For longer than the test:
//
//     cd build/clang/tests && ./graph_fuzzer -max_total_time=600 -malloc_limit_mb=4
//     graph_fuzzer_corpus
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "apps/bc/graph_file.hpp"

namespace apps {
namespace {

constexpr std::uint64_t kMemoryBytes = 1U << 18U;  // small, so that what is slow is refused

void require(bool holds) {
  if (!holds) std::abort();
}

std::ptrdiff_t count(std::span<const Vertex> sorted_row, Vertex v) {
  const auto [begin, end] = std::equal_range(sorted_row.begin(), sorted_row.end(), v);
  return end - begin;
}

void require_well_formed(const Graph& graph, GraphOptions options) {
  const auto offsets = graph.offsets();
  require(offsets.size() == std::size_t{graph.vertices()} + 1 && graph.vertices() > 0);
  require(offsets.front() == 0 && offsets.back() == graph.targets().size());
  require(std::ranges::is_sorted(offsets));
  require(graph.directed() == options.directed);
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    const auto row = graph.neighbours(v);
    require(std::ranges::is_sorted(row));
    require(options.multi || std::ranges::adjacent_find(row) == row.end());
    require(!graph.label(v).empty());
    for (const Vertex w : row) {
      require(w < graph.vertices() && w != v);
      if (options.directed) continue;
      require(count(row, w) == count(graph.neighbours(w), v));
    }
  }
}

void require_printable_line(std::string_view text) {
  require(text.starts_with("fuzz:"));
  require(std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; }));
}

}  // namespace
}  // namespace apps

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace apps;
  // On one thread: inputs are small, and the same input should always take the same way.
  static const tbb::global_control kOneThread(tbb::global_control::max_allowed_parallelism, 1);
  if (size == 0) return 0;
  constexpr GraphFormat kFormats[] = {GraphFormat::matrix_market, GraphFormat::metis,
                                      GraphFormat::snap};
  const unsigned choice = data[0];
  const GraphOptions options{.directed = (choice / 3 & 1U) != 0, .multi = (choice / 3 & 2U) != 0};
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    require_well_formed(parse_graph(bytes, kFormats[choice % 3], options, "fuzz", kMemoryBytes),
                        options);
  } catch (const GraphError& error) {
    require_printable_line(error.what());
  }
  return 0;
}
