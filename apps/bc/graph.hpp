// Graph: an unweighted graph in compressed sparse rows, as shortest paths want it.
//
// The row of vertex v is targets()[offsets()[v]] to targets()[offsets()[v + 1]], its
// out-neighbours in ascending order. An undirected edge stands in the rows of both its ends.
// There are no self-loops, since they lie on no shortest path. Immutable, for any number of
// threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "belay/core/packing.hpp"

namespace apps {

using Vertex = std::uint32_t;

// Leaves two values for programs that mark vertices.
inline constexpr std::uint64_t kMaxVertices = 0xFFFF'FFFE;

struct Edge {
  Vertex from;
  Vertex to;
  bool operator==(const Edge&) const = default;
};

// Edges in any order, in pieces: what reads or draws them in parallel makes one piece per task.
using EdgeList = std::vector<std::vector<Edge>>;

struct GraphOptions {
  bool directed = false;
  bool multi = false;  // keep parallel edges: each is a path of its own. Else they are one
};

// What the input calls the vertices: vertex v is names[v] or, without names, first + v.
struct Labels {
  std::uint64_t first = 0;
  std::vector<std::uint64_t> names{};
  bool operator==(const Labels&) const = default;
};

class Graph {
 public:
  // Self-loops are dropped. The same graph whatever the number of oneTBB's threads. Throws
  // std::invalid_argument if there are more than kMaxVertices vertices, or an edge or the names
  // do not fit them.
  Graph(std::uint64_t vertices, EdgeList edges, GraphOptions options, Labels labels = {});

  [[nodiscard]] Vertex vertices() const noexcept {
    return static_cast<Vertex>(offsets_.size() - 1);
  }
  // Entries of all rows together.
  [[nodiscard]] std::uint64_t arcs() const noexcept { return targets_.size(); }
  // An undirected edge counts once, though it has two arcs.
  [[nodiscard]] std::uint64_t edges() const noexcept { return directed_ ? arcs() : arcs() / 2; }
  [[nodiscard]] bool directed() const noexcept { return directed_; }

  [[nodiscard]] std::span<const Vertex> neighbours(Vertex v) const noexcept {
    return {targets_.data() + offsets_[v], targets_.data() + offsets_[v + 1]};
  }

  [[nodiscard]] std::string label(Vertex v) const;

  [[nodiscard]] std::span<const std::uint64_t> offsets() const noexcept { return offsets_; }
  [[nodiscard]] std::span<const Vertex> targets() const noexcept { return targets_; }

  void pack(belay::Packer& packer) const;
  // Throws std::logic_error if the bytes are no graph.
  static Graph unpack(belay::Unpacker& unpacker);

  bool operator==(const Graph&) const = default;

 private:
  Graph() = default;
  void place(const EdgeList& edges);
  void merge_parallel_arcs();

  bool directed_ = false;
  std::vector<std::uint64_t> offsets_{0};  // one more than there are vertices
  std::vector<Vertex> targets_;
  Labels labels_;
};

}  // namespace apps
