// uts-seq: counts a UTS tree on one thread, with no scheduler at all.
#include "bench/uts/peer.hpp"

int main(int argc, char** argv) {
  const bench::UtsPeer peer{
      .name = "uts-seq", .scheduler = "sequentially", .max_threads = 1, .batches = false};
  return bench::run_uts_peer(peer, argc, argv,
                             [](const apps::UtsProblem& problem, const bench::UtsPeerOptions&) {
                               return bench::Tallies{{count_sequentially(problem)}};
                             });
}
