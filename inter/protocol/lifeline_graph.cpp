#include "belay/inter/protocol/lifeline_graph.hpp"

#include <cstdint>

namespace belay {

namespace {

bool holds(std::int64_t radix, int dimensions, std::int64_t size) {
  std::int64_t nodes = 1;
  for (int i = 0; i < dimensions && nodes < size; ++i) nodes *= radix;
  return nodes >= size;
}

}  // namespace

LifelineGraph::LifelineGraph(int size, int dimensions) : size_(size), dimensions_(dimensions) {
  while (!holds(radix_, dimensions, size)) ++radix_;
}

std::vector<int> LifelineGraph::lifelines_of(int rank) const {
  std::vector<int> lifelines;
  std::int64_t weight = 1;  // of the dimension's digit
  for (int i = 0; i < dimensions_ && weight < size_; ++i, weight *= radix_) {
    const std::int64_t digit = rank / weight % radix_;
    for (std::int64_t step = 1; step < radix_; ++step) {
      const std::int64_t next = rank + ((digit + step) % radix_ - digit) * weight;
      if (next < size_) {
        lifelines.push_back(static_cast<int>(next));
        break;
      }
    }
  }
  return lifelines;
}

}  // namespace belay
