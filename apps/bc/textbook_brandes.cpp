#include "apps/bc/textbook_brandes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace apps {

std::vector<double> textbook_betweenness(const Graph& graph) {
  const std::size_t n = graph.vertices();
  std::vector<double> scores(n);
  for (Vertex source = 0; source < n; ++source) {
    std::vector<std::vector<Vertex>> predecessors(n);
    std::vector<double> paths(n);
    std::vector<double> dependency(n);
    std::vector<std::int64_t> distance(n, -1);
    std::vector<Vertex> queue{source};
    paths[source] = 1;
    distance[source] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Vertex v = queue[head];
      for (const Vertex w : graph.neighbours(v)) {
        if (distance[w] < 0) {
          distance[w] = distance[v] + 1;
          queue.push_back(w);
        }
        if (distance[w] == distance[v] + 1) {
          paths[w] += paths[v];
          predecessors[w].push_back(v);
        }
      }
    }
    for (std::size_t i = queue.size(); i-- > 1;) {
      const Vertex w = queue[i];
      for (const Vertex v : predecessors[w]) {
        dependency[v] += paths[v] / paths[w] * (1 + dependency[w]);
      }
      scores[w] += dependency[w];
    }
  }
  if (!graph.directed()) {
    for (double& score : scores) score /= 2;
  }
  return scores;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t v = 0; v < a.size(); ++v) {
    const double scale = std::max({std::abs(a[v]), std::abs(b[v]), 1.0});
    largest = std::max(largest, std::abs(a[v] - b[v]) / scale);
  }
  return largest;
}

}  // namespace apps
