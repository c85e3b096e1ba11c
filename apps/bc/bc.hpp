// Betweenness centrality of all vertices of a graph: for each, the sum over all pairs of others of
// the share of their shortest paths that lead through it.
//
// A task is one source, a bag an interval of vertices, or several; the graph lies in the problem
// and is never sent. Sources differ widely in cost, and a large graph's take seconds: a worker that
// is wanted leaves its search in the middle, keeps it in its local, and its source in the bag
// until it is finished. So the first vertex of a bag, which may be half done, is never given away.
//
// Sources: kernel 4 of HPCS SSCA#2 v2.2 (2007), for all vertices; the interruptible search of the
// GLB framework (Zhang et al., 2013, section 2.6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "apps/bc/brandes.hpp"
#include "apps/bc/graph.hpp"
#include "apps/common/interval_bag.hpp"
#include "belay/core/packing.hpp"
#include "belay/core/quantum.hpp"
#include "belay/core/share.hpp"

namespace apps {

struct BcResult {
  std::vector<double> scores;       // of each vertex; empty: all are zero
  std::vector<std::uint64_t> arcs;  // looked at by the searches, per worker in no order

  void pack(belay::Packer& packer) const {
    packer.put(scores);
    packer.put(arcs);
  }
  static BcResult unpack(belay::Unpacker& unpacker) {
    BcResult result;
    result.scores = unpacker.get<std::vector<double>>();
    result.arcs = unpacker.get<std::vector<std::uint64_t>>();
    return result;
  }
};

// A belay::Problem. The graph outlives it.
class BcProblem {
 public:
  using Bag = IntervalBag;
  using Local = Brandes;
  using Result = BcResult;

  explicit BcProblem(const Graph& graph) : graph_(&graph) {}

  // An equal share of the vertices for each rank.
  [[nodiscard]] Bag part(int rank, int ranks) const {
    return Bag(part_of_rank(graph_->vertices(), rank, ranks));
  }

  [[nodiscard]] Bag empty_bag() const { return {}; }
  [[nodiscard]] Result identity() const { return {}; }
  [[nodiscard]] Local make_local() const { return Brandes(*graph_); }

  void process(Bag& bag, Local& search, Result& result, belay::Quantum& quantum) const {
    if (result.scores.empty()) {
      result.scores.resize(graph_->vertices());
      result.arcs.resize(1);
    }
    const std::uint64_t arcs_before = search.arcs();
    while (bag.size() > 0) {
      if (!search.under_way()) {
        if (!quantum.take()) break;
        search.begin(static_cast<Vertex>(bag.first()));
      }
      if (!search.advance(result.scores, [&quantum] { return quantum.should_yield(); })) break;
      bag.drop_first();
    }
    result.arcs.front() += search.arcs() - arcs_before;
  }

  [[nodiscard]] Bag split(Bag& bag, belay::Share share) const {
    return bag.split(share.of(bag.size()));
  }

  void merge(Bag& into, Bag&& from) const { into.merge(from); }

  static void reduce(Result& into, Result&& from) {
    if (into.scores.empty()) std::swap(into.scores, from.scores);
    for (std::size_t v = 0; v < from.scores.size(); ++v) into.scores[v] += from.scores[v];
    into.arcs.insert(into.arcs.end(), from.arcs.begin(), from.arcs.end());
  }

  // An undirected graph has each pair of ends once, the searches found it twice.
  void finish(Result& result) const {
    result.scores.resize(graph_->vertices());
    if (graph_->directed()) return;
    for (double& score : result.scores) score /= 2;
  }

 private:
  const Graph* graph_;
};

}  // namespace apps
