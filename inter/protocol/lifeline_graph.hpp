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

class LifelineGraph {
 public:
  // size, dimensions >= 1.
  LifelineGraph(int size, int dimensions);

  // The smallest h with h^z >= size; at least 2.
  [[nodiscard]] int radix() const noexcept { return radix_; }

  // The ranks of which `rank` asks to be remembered, one per dimension at most.
  // 0 <= rank < size.
  [[nodiscard]] std::vector<int> lifelines_of(int rank) const;

 private:
  int size_;
  int dimensions_;
  int radix_ = 2;
};

}  // namespace belay
