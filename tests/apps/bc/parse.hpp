// Graphs parsed from text in tests, and what is said of wrong text.
#pragma once

#include <zlib.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "apps/bc/graph_file.hpp"

namespace apps::test {

// What the GraphError says that f throws; empty if it throws none.
template <class F>
std::string refusal_of(const F& f) {
  try {
    f();
  } catch (const GraphError& error) {
    return error.what();
  }
  return {};
}

inline std::string refusal(std::string_view text, GraphFormat format, GraphOptions options = {},
                           const std::string& name = "g",
                           std::uint64_t memory_bytes = default_memory_bytes()) {
  return refusal_of(
      [&] { static_cast<void>(parse_graph(text, format, options, name, memory_bytes)); });
}

inline Graph parse_snap(std::string_view text, GraphOptions options = {}) {
  return parse_graph(text, GraphFormat::snap, options, "g");
}

inline std::string snap_refusal(std::string_view text) { return refusal(text, GraphFormat::snap); }

inline std::string gzip(std::string_view text) {
  z_stream stream{};
  constexpr int kGzip = 16 + MAX_WBITS;
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("zlib");
  }
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace apps::test
