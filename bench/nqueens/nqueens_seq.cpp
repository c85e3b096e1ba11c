// nqueens-seq: counts the ways to place N queens on one thread, with no scheduler at all.
#include "bench/nqueens/peer.hpp"

int main(int argc, char** argv) {
  const bench::Peer peer{"nqueens-seq", "Counts the ways to place N queens sequentially.", 1};
  return bench::run_queens_peer(peer, argc, argv, [](const apps::NQueens& problem, int) {
    return bench::Tallies{{count_sequentially(problem), 1}};
  });
}
