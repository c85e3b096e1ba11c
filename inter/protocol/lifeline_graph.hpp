// The lifeline graph: a cyclic hypercube of dimension z over any number of nodes.
//
// With the smallest radix h such that h^z >= size, a rank is a number of z digits in base h.
// In each dimension a node's lifeline is the next node that exists, going up cyclically in
// that digit; a dimension in which a node is alone gives none. So every node has between 1
// and z lifelines when size > 1, and each node can be reached from every other.
//
// Source: Saraswat et al., Lifeline-based Global Load Balancing, PPoPP 2011
// (10.1145/1941553.1941582), section 1.1.
#pragma once

#include <vector>

namespace belay {

// The ranks of which `rank` asks to be remembered, one per dimension at most.
// 0 <= rank < size, dimensions >= 1.
[[nodiscard]] std::vector<int> lifelines_of(int rank, int size, int dimensions);

}  // namespace belay
