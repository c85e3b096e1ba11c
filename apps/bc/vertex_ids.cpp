#include "apps/bc/vertex_ids.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "apps/bc/parallel.hpp"

namespace apps {

namespace {

using Pieces = std::vector<std::vector<NamedEdge>>;

std::uint64_t greatest_of(const Pieces& edges) {
  std::vector<std::uint64_t> greatest(edges.size() + 1, 0);
  for_each_index(edges.size(), [&](std::size_t i) {
    for (const NamedEdge& edge : edges[i]) {
      greatest[i] = std::max({greatest[i], edge.from, edge.to});
    }
  });
  return *std::ranges::max_element(greatest);
}

}  // namespace

VertexIds::VertexIds(const Pieces& edges, std::uint64_t bitmap_bytes) {
  const std::uint64_t greatest = greatest_of(edges);
  if (greatest / 8 < bitmap_bytes) {
    mark(edges, greatest);
  } else {
    sort(edges);
  }
  if (size() > kMaxVertices) {
    throw std::invalid_argument(std::to_string(size()) + " vertices, allowed: 1 to " +
                                std::to_string(kMaxVertices));
  }
}

void VertexIds::mark(const Pieces& edges, std::uint64_t greatest) {
  words_.assign(greatest / 64 + 1, 0);
  for_each_index(edges.size(), [&](std::size_t i) {
    // Relaxed: the end of the loop orders what is marked. Most bits are set already.
    const auto set = [this](std::uint64_t id) {
      const std::uint64_t bit = std::uint64_t{1} << id % 64;
      const std::atomic_ref word(words_[id / 64]);
      if ((word.load(std::memory_order_relaxed) & bit) == 0) {
        word.fetch_or(bit, std::memory_order_relaxed);
      }
    };
    for (const NamedEdge& edge : edges[i]) {
      set(edge.from);
      set(edge.to);
    }
  });
  below_.resize(words_.size() + 1, 0);
  std::transform_inclusive_scan(
      words_.begin(), words_.end(), below_.begin() + 1, std::plus{},
      [](std::uint64_t word) { return static_cast<std::uint64_t>(std::popcount(word)); });
  sorted_.resize(below_.back());
  for_each_index(words_.size(), [this](std::size_t i) {
    std::uint64_t next = below_[i];
    for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
      sorted_[next++] = i * 64 + static_cast<std::uint64_t>(std::countr_zero(rest));
    }
  });
}

void VertexIds::sort(const Pieces& edges) {
  std::vector<std::size_t> begins{0};
  for (const auto& piece : edges) begins.push_back(begins.back() + 2 * piece.size());
  sorted_.resize(begins.back());
  for_each_index(edges.size(), [&](std::size_t i) {
    std::size_t next = begins[i];
    for (const NamedEdge& edge : edges[i]) {
      sorted_[next++] = edge.from;
      sorted_[next++] = edge.to;
    }
  });
  parallel_sort(sorted_);
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
  sorted_.shrink_to_fit();
}

Vertex VertexIds::number(std::uint64_t id) const noexcept {
  if (words_.empty()) {
    return static_cast<Vertex>(std::ranges::lower_bound(sorted_, id) - sorted_.begin());
  }
  const std::uint64_t lower_bits = words_[id / 64] & ((std::uint64_t{1} << id % 64) - 1);
  return static_cast<Vertex>(below_[id / 64] + static_cast<unsigned>(std::popcount(lower_bits)));
}

Labels VertexIds::take_labels() noexcept {
  if (sorted_.empty()) return {};
  const std::uint64_t first = sorted_.front();
  if (sorted_.back() - first == sorted_.size() - 1) return {first, {}};  // no gaps: no need to keep
  return {0, std::move(sorted_)};
}

}  // namespace apps
