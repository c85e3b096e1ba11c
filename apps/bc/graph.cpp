#include "apps/bc/graph.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "apps/bc/parallel.hpp"

namespace apps {

namespace {

void require(bool allowed, const char* what, std::uint64_t value, std::uint64_t most) {
  if (allowed) return;
  throw std::invalid_argument(std::string(what) + " = " + std::to_string(value) +
                              ", allowed: 0 to " + std::to_string(most));
}

// Calls f(from, to) for every arc that is stored, in parallel.
template <class F>
void for_each_arc(const EdgeList& edges, bool directed, const F& f) {
  for_each_index(edges.size(), [&](std::size_t piece) {
    for (const Edge edge : edges[piece]) {
      if (edge.from == edge.to) continue;
      f(edge.from, edge.to);
      if (!directed) f(edge.to, edge.from);
    }
  });
}

}  // namespace

Graph::Graph(std::uint64_t vertices, EdgeList edges, GraphOptions options, Labels labels)
    : directed_(options.directed), labels_(std::move(labels)) {
  require(vertices <= kMaxVertices, "vertices", vertices, kMaxVertices);
  require(labels_.names.empty() || labels_.names.size() == vertices, "names", labels_.names.size(),
          vertices);
  for_each_index(edges.size(), [&](std::size_t piece) {
    for (const Edge edge : edges[piece]) {
      const Vertex end = std::max(edge.from, edge.to);
      require(end < vertices, "end of an edge", end, vertices - 1);
    }
  });
  offsets_.assign(vertices + 1, 0);
  place(edges);
  edges = {};
  for_each_index(vertices, [this](std::uint64_t v) {
    std::sort(targets_.begin() + static_cast<std::ptrdiff_t>(offsets_[v]),
              targets_.begin() + static_cast<std::ptrdiff_t>(offsets_[v + 1]));
  });
  if (!options.multi) merge_parallel_arcs();
}

// Counting sort by the arcs' origins. Within a row the order is left to chance.
void Graph::place(const EdgeList& edges) {
  // Relaxed throughout: the ends of the loops order what is counted and placed.
  for_each_arc(edges, directed_, [this](Vertex from, Vertex) {
    std::atomic_ref(offsets_[from]).fetch_add(1, std::memory_order_relaxed);
  });
  std::inclusive_scan(offsets_.begin(), offsets_.end(), offsets_.begin());
  // offsets_[v] is now the end of v's row; each arc placed moves it towards the row's begin.
  targets_.resize(offsets_.back());
  for_each_arc(edges, directed_, [this](Vertex from, Vertex to) {
    const auto end = std::atomic_ref(offsets_[from]).fetch_sub(1, std::memory_order_relaxed);
    targets_[end - 1] = to;
  });
}

void Graph::merge_parallel_arcs() {
  std::vector<std::uint64_t> merged(offsets_.size(), 0);  // ends as sizes, then as offsets
  for_each_index(vertices(), [&](std::uint64_t v) {
    Vertex* const begin = targets_.data() + offsets_[v];
    Vertex* const end = targets_.data() + offsets_[v + 1];
    merged[v + 1] = static_cast<std::uint64_t>(std::unique(begin, end) - begin);
  });
  std::inclusive_scan(merged.begin(), merged.end(), merged.begin());
  if (merged.back() == targets_.size()) return;
  std::vector<Vertex> targets(merged.back());
  for_each_index(vertices(), [&](std::uint64_t v) {
    std::copy_n(targets_.data() + offsets_[v], merged[v + 1] - merged[v],
                targets.data() + merged[v]);
  });
  offsets_ = std::move(merged);
  targets_ = std::move(targets);
}

std::string Graph::label(Vertex v) const {
  return std::to_string(labels_.names.empty() ? labels_.first + v : labels_.names[v]);
}

void Graph::pack(belay::Packer& packer) const {
  packer.put(directed_);
  packer.put_all(offsets());
  packer.put_all(targets());
  packer.put(labels_.first);
  packer.put_all(std::span<const std::uint64_t>(labels_.names));
}

Graph Graph::unpack(belay::Unpacker& unpacker) {
  Graph graph;
  graph.directed_ = unpacker.get<bool>();
  graph.offsets_ = unpacker.get_all<std::uint64_t>();
  graph.targets_ = unpacker.get_all<Vertex>();
  graph.labels_.first = unpacker.get<std::uint64_t>();
  graph.labels_.names = unpacker.get_all<std::uint64_t>();
  const auto& [first, names] = graph.labels_;
  BELAY_CHECK(!graph.offsets_.empty() && graph.offsets_.size() - 1 <= kMaxVertices);
  BELAY_CHECK(names.empty() || names.size() == graph.vertices(), names.size(), graph.vertices());
  BELAY_CHECK(graph.offsets_.front() == 0 && graph.offsets_.back() == graph.arcs());
  for_each_index(graph.vertices(), [&](std::uint64_t v) {
    const std::uint64_t begin = graph.offsets_[v];
    const std::uint64_t end = graph.offsets_[v + 1];
    BELAY_CHECK(begin <= end && end <= graph.arcs(), v, begin, end);
    for (const Vertex w : graph.neighbours(static_cast<Vertex>(v))) {
      BELAY_CHECK(w < graph.vertices(), v, w);
    }
  });
  return graph;
}

}  // namespace apps
