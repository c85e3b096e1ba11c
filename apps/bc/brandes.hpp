// Brandes: one source's part of the betweenness centrality of every vertex, in steps that can be
// left off between any two vertices.
//
// A breadth-first search counts the shortest paths from the source; then, the farthest level
// first, each vertex learns from its successors how many of the paths to all others it carries:
//
//   dependency(v) = paths(v) * sum over successors w of (1 + dependency(w)) / paths(w)
//
// where a parallel arc counts as a path of its own. Both passes go over the rows of vertices in the
// order of the search, and neither asks per arc how far away its end is, for which no processor can
// guess the answer:
//
//   counting  adds to every neighbour. What vertices seen before get is wrong and is never read:
//   the
//             paths of a level are saved, by place in the order, once it is complete.
//   summing   adds up what at_ holds for every neighbour, which is zero but for the level below.
//
// 21 bytes a vertex. One per worker; belongs to one thread.
//
// Source: Brandes, A Faster Algorithm for Betweenness Centrality, 2001,
// 10.1080/0022250X.2001.9990249.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/bc/graph.hpp"

namespace apps {

class Brandes {
 public:
  explicit Brandes(const Graph& graph)
      : graph_(&graph),
        at_(graph.vertices()),
        seen_(graph.vertices()),
        order_(std::size_t{graph.vertices()} + 1),
        paths_(graph.vertices()) {}

  // A source was begun and is not finished.
  [[nodiscard]] bool under_way() const noexcept { return phase_ != Phase::none; }

  void begin(Vertex source) {
    order_[0] = source;
    paths_[0] = 1;
    seen_[source] = 1;
    reached_ = 1;
    next_ = 0;
    levels_ = {0, 1};
    phase_ = Phase::counting;
  }

  // Goes on, adding to scores (one per vertex), until the source is finished: true; or until
  // should_yield() says so, which is asked between two vertices. Each call gets on by one vertex at
  // least. Throws std::overflow_error if there are more shortest paths than a double can count.
  template <class ShouldYield>
  bool advance(std::span<double> scores, ShouldYield should_yield) {
    while (phase_ == Phase::counting) {
      if (next_ < levels_.back()) {
        count_paths();
        if (should_yield()) return false;
      } else if (reached_ > next_) {
        save_paths();
      } else {
        begin_summing();
      }
    }
    while (level_ > 0) {
      if (next_ > levels_[level_]) {
        sum_dependency(scores);
        if (should_yield()) return false;
      } else {
        show_level();
      }
    }
    forget();
    return true;
  }

  // Arcs that the searches of all sources have followed so far.
  [[nodiscard]] std::uint64_t arcs() const noexcept { return arcs_; }

 private:
  enum class Phase : std::uint8_t { none, counting, summing };

  void count_paths() {
    const double paths = paths_[next_];
    const auto row = graph_->neighbours(order_[next_]);
    std::size_t end = reached_;
    for (const Vertex w : row) {
      at_[w] += paths;
      order_[end] = w;
      end += 1U - seen_[w];
      seen_[w] = 1;
    }
    reached_ = end;
    arcs_ += row.size();
    ++next_;
  }

  // The next level is complete.
  void save_paths() {
    for (std::size_t i = next_; i < reached_; ++i) {
      paths_[i] = at_[order_[i]];
      if (!std::isfinite(paths_[i])) {
        throw std::overflow_error("more than 1.8e308 shortest paths lead from vertex " +
                                  graph_->label(order_[0]) + " to vertex " +
                                  graph_->label(order_[i]) + ": a double cannot count them");
      }
    }
    levels_.push_back(reached_);
  }

  void begin_summing() {
    for (std::size_t i = 0; i < reached_; ++i) at_[order_[i]] = 0;
    level_ = levels_.size() - 2;
    phase_ = Phase::summing;
  }

  void sum_dependency(std::span<double> scores) {
    const Vertex v = order_[--next_];
    double& paths = paths_[next_];
    const double dependency = paths * sum_at(graph_->neighbours(v));
    scores[v] += dependency;
    paths = (1 + dependency) / paths;  // what predecessors want
  }

  // Four sums side by side: one addition need not wait for the one before.
  [[nodiscard]] double sum_at(std::span<const Vertex> row) const {
    double sums[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= row.size(); i += 4) {
      for (std::size_t j = 0; j < 4; ++j) sums[j] += at_[row[i + j]];
    }
    for (; i < row.size(); ++i) sums[0] += at_[row[i]];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  // level_ is summed: it becomes what the level above sees.
  void show_level() {
    const std::size_t end = levels_[level_ + 1];
    if (level_ + 2 < levels_.size()) {
      for (std::size_t i = end; i < levels_[level_ + 2]; ++i) at_[order_[i]] = 0;
    }
    for (std::size_t i = levels_[level_]; i < end; ++i) at_[order_[i]] = paths_[i];
    --level_;
  }

  void forget() {
    for (std::size_t i = 0; i < reached_; ++i) {
      at_[order_[i]] = 0;
      seen_[order_[i]] = 0;
    }
    phase_ = Phase::none;
  }

  const Graph* graph_;
  std::vector<double> at_;           // by vertex; zero between sources
  std::vector<std::uint8_t> seen_;   // by vertex: 1, reached by the search; zero between sources
  std::vector<Vertex> order_;        // of the search; one place more, for a last write in vain
  std::vector<double> paths_;        // by place in order_; summed ones: (1 + dependency) / paths
  std::vector<std::size_t> levels_;  // where each begins in order_, and where the last ends
  std::size_t reached_ = 0;          // vertices in order_
  std::size_t next_ = 0;             // place to be counted next, or after the one to be summed next
  std::size_t level_ = 0;            // being summed; at 0 is the source alone, on none of its paths
  Phase phase_ = Phase::none;
  std::uint64_t arcs_ = 0;
};

}  // namespace apps
