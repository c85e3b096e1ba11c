// The parsers of graph_file.hpp, one file each. `text` is unpacked and must outlive the call.
//
// They throw BadLine, or std::invalid_argument where no line is to blame.
#pragma once

#include <cstdint>
#include <string_view>

#include "apps/bc/graph.hpp"

namespace apps {

// The one format that can name more vertices than it has lines: no more than fit into memory_bytes.
[[nodiscard]] Graph parse_matrix_market(std::string_view text, GraphOptions options,
                                        std::uint64_t memory_bytes);
[[nodiscard]] Graph parse_snap(std::string_view text, GraphOptions options);
[[nodiscard]] Graph parse_metis(std::string_view text, GraphOptions options);

}  // namespace apps
