// The smallest user of the component protocol: exits with 0 when a full cube of 10^3 ranks has its
// three lifelines per rank.
#include <belay/inter/protocol/lifeline_graph.hpp>
#include <cstddef>
#include <cstdio>

int main() {
  const int ranks = 1000;
  const belay::LifelineGraph graph(ranks, 3);
  std::size_t lifelines = 0;
  for (int rank = 0; rank < ranks; ++rank) lifelines += graph.lifelines_of(rank).size();
  std::printf("%zu lifelines of %d ranks\n", lifelines, ranks);
  return lifelines == 3000 ? 0 : 1;
}
