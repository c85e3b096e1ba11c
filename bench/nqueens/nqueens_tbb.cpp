// nqueens-tbb: counts the ways to place N queens with a oneTBB task_group, a task per board as in
// nqueens.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <cstddef>
#include <utility>

#include "bench/nqueens/peer.hpp"

namespace {

struct Search {
  const apps::NQueens& problem;
  tbb::task_group group;
  bench::Tallies tallies;
};

struct BoardTask {
  Search* search;
  apps::Board board;

  void operator()() const {
    const auto thread = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
    bench::Tally& tally = search->tallies[thread];
    ++tally.tasks;
    search->problem.visit(
        board,
        [this](const apps::Board& next) {
          search->group.run(BoardTask{search, next});
        },
        tally.solutions);
  }
};

bench::Tallies count(const apps::NQueens& problem, int threads) {
  const auto many = static_cast<std::size_t>(threads);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, many);
  tbb::task_arena arena(threads);
  Search search{problem, {}, bench::Tallies(many)};
  arena.execute([&] {
    for (const apps::Board& board : problem.roots()) search.group.run(BoardTask{&search, board});
    search.group.wait();
  });
  return std::move(search.tallies);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_queens_peer(
      {"nqueens-tbb", "Counts the ways to place N queens with oneTBB's task_group."}, argc, argv,
      count);
}
