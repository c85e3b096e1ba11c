// VertexIds: numbers vertices that an input calls by arbitrary ids, in ascending order of the ids.
//
// Nearly all graphs have ids not much larger than there are vertices. Those are marked in a bitmap,
// whose words know how many ids are below them; others are sorted.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/bc/graph.hpp"

namespace apps {

struct NamedEdge {
  std::uint64_t from;
  std::uint64_t to;
};

class VertexIds {
 public:
  // The ends of the edges. The bitmap may take so many bytes. Throws std::invalid_argument if there
  // are more than kMaxVertices.
  VertexIds(const std::vector<std::vector<NamedEdge>>& edges, std::uint64_t bitmap_bytes);

  [[nodiscard]] std::uint64_t size() const noexcept { return sorted_.size(); }
  // Of an id that was among them.
  [[nodiscard]] Vertex number(std::uint64_t id) const noexcept;
  // Ends the use of number().
  [[nodiscard]] Labels take_labels() noexcept;

 private:
  void mark(const std::vector<std::vector<NamedEdge>>& edges, std::uint64_t greatest);
  void sort(const std::vector<std::vector<NamedEdge>>& edges);

  std::vector<std::uint64_t> words_;  // bit id % 64 of word id / 64; empty: no bitmap
  std::vector<std::uint64_t> below_;  // per word
  std::vector<std::uint64_t> sorted_;
};

}  // namespace apps
