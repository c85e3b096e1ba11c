#include "apps/bc/graph_file.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "apps/bc/graph_formats.hpp"
#include "apps/bc/graph_text.hpp"
#include "apps/common/printable.hpp"

namespace apps {

namespace {

// `place` stands between the name and what is wrong.
[[noreturn]] void fail(const std::string& name, const std::string& place, const std::string& what) {
  throw GraphError(printable(name, std::string::npos) + place + ": " + what);
}

// What f returns; what it throws becomes a GraphError.
template <class F>
Graph naming_errors(const std::string& name, const F& f) {
  try {
    return f();
  } catch (const GraphError&) {
    throw;
  } catch (const std::invalid_argument& error) {
    fail(name, "", error.what());
  } catch (const std::bad_alloc&) {
    fail(name, "", "not enough memory for this graph");
  }
}

GraphFormat format_of(std::string_view name) {
  constexpr std::pair<std::string_view, GraphFormat> kSuffixes[] = {
      {".mtx", GraphFormat::matrix_market}, {".graph", GraphFormat::metis},
      {".metis", GraphFormat::metis},       {".txt", GraphFormat::snap},
      {".el", GraphFormat::snap},           {".snap", GraphFormat::snap},
      {".edges", GraphFormat::snap}};
  if (name.ends_with(".gz")) name.remove_suffix(3);
  std::string allowed;
  for (const auto& [suffix, format] : kSuffixes) {
    if (name.ends_with(suffix)) return format;
    (allowed += suffix) += ' ';
  }
  throw std::invalid_argument("the name does not say the format; allowed: a format, or " + allowed +
                              "at the end, then .gz or nothing");
}

Graph parse_text(std::string_view text, GraphFormat format, GraphOptions options,
                 std::uint64_t memory_bytes) {
  if (format == GraphFormat::matrix_market) return parse_matrix_market(text, options, memory_bytes);
  return format == GraphFormat::snap ? parse_snap(text, options) : parse_metis(text, options);
}

}  // namespace

Graph read_graph(const std::string& path, GraphFormat format, GraphOptions options,
                 std::uint64_t memory_bytes) {
  return naming_errors(path, [&] {
    if (format == GraphFormat::automatic) format = format_of(path);
    const Bytes bytes = read_file(path, memory_bytes);
    return parse_graph(bytes.view(), format, options, path, memory_bytes);
  });
}

Graph parse_graph(std::string_view bytes, GraphFormat format, GraphOptions options,
                  const std::string& name, std::uint64_t memory_bytes) {
  return naming_errors(name, [&] {
    if (format == GraphFormat::automatic) format = format_of(name);
    Bytes unpacked;
    std::string_view text = bytes;
    if (is_gzip(bytes)) {
      unpacked = gunzip(bytes, memory_bytes);
      text = unpacked.view();
    }
    try {
      return parse_text(text, format, options, memory_bytes);
    } catch (const BadLine& line) {
      const auto ends_before = std::count(text.data(), line.at, '\n');
      fail(name, ':' + std::to_string(ends_before + 1), line.what);
    }
  });
}

}  // namespace apps
