// A graph as igraph has it, and its betweenness by igraph, on one thread.
#pragma once

#include <igraph/igraph.h>

#include <vector>

#include "apps/bc/graph.hpp"

namespace bench {

class IgraphGraph {
 public:
  explicit IgraphGraph(const apps::Graph& graph) {
    igraph_vector_int_t ends;
    igraph_vector_int_init(&ends, 0);
    for (apps::Vertex v = 0; v < graph.vertices(); ++v) {
      for (const apps::Vertex w : graph.neighbours(v)) {
        if (!graph.directed() && w < v) continue;
        igraph_vector_int_push_back(&ends, v);
        igraph_vector_int_push_back(&ends, w);
      }
    }
    igraph_create(&graph_, &ends, graph.vertices(), graph.directed());
    igraph_vector_int_destroy(&ends);
  }
  ~IgraphGraph() { igraph_destroy(&graph_); }
  IgraphGraph(const IgraphGraph&) = delete;
  IgraphGraph& operator=(const IgraphGraph&) = delete;

  [[nodiscard]] std::vector<double> scores() const {
    igraph_vector_t scores;
    igraph_vector_init(&scores, 0);
    igraph_betweenness(&graph_, &scores, igraph_vss_all(), igraph_is_directed(&graph_), nullptr);
    std::vector<double> copy(VECTOR(scores), VECTOR(scores) + igraph_vector_size(&scores));
    igraph_vector_destroy(&scores);
    return copy;
  }

 private:
  igraph_t graph_{};
};

}  // namespace bench
