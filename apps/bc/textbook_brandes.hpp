// Betweenness centrality as the textbook has it, with lists of predecessors, on one thread: what
// the program's own answers are compared with.
#pragma once

#include <vector>

#include "apps/bc/graph.hpp"

namespace apps {

[[nodiscard]] std::vector<double> textbook_betweenness(const Graph& graph);

// The largest difference between two scores of one vertex, as a share of the larger one's
// magnitude, or of 1 if that is more.
[[nodiscard]] double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

// Sums of the same terms in another order differ by less, as long as no vertex has more than a
// hundred thousand terms that matter: each addition is off by at most 1.1e-16 of the sum.
inline constexpr double kScoreTolerance = 1e-9;

}  // namespace apps
