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

std::vector<int> lifelines_of(int rank, int size, int dimensions) {
  std::int64_t radix = 2;
  while (!holds(radix, dimensions, size)) ++radix;

  std::vector<int> lifelines;
  std::int64_t weight = 1;  // of the dimension's digit
  for (int i = 0; i < dimensions && weight < size; ++i, weight *= radix) {
    const std::int64_t digit = rank / weight % radix;
    for (std::int64_t step = 1; step < radix; ++step) {
      const std::int64_t next = rank + ((digit + step) % radix - digit) * weight;
      if (next < size) {
        lifelines.push_back(static_cast<int>(next));
        break;
      }
    }
  }
  return lifelines;
}

}  // namespace belay
