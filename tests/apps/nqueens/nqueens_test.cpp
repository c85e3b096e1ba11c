#include "apps/nqueens/nqueens.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "apps/nqueens/queens_options.hpp"
#include "tests/apps/run_tasks.hpp"

namespace apps {
namespace {

static_assert(belay::TaskFunction<NQueens>);

Ran<NQueens> run(const NQueens& queens) {
  const std::vector<Board> roots = queens.roots();
  return run_tasks(queens, {roots.begin(), roots.end()});
}

// By the definition: all permutations without two queens on a diagonal.
std::uint64_t by_permutations(int n) {
  std::vector<int> column(static_cast<std::size_t>(n));
  std::iota(column.begin(), column.end(), 0);
  std::uint64_t solutions = 0;
  do {
    bool peace = true;
    for (int row = 0; row < n; ++row) {
      for (int above = 0; above < row; ++above) {
        const auto at = [&](int r) { return column[static_cast<std::size_t>(r)]; };
        peace = peace && std::abs(at(row) - at(above)) != row - above;
      }
    }
    if (peace) ++solutions;
  } while (std::ranges::next_permutation(column).found);
  return solutions;
}

TEST(NQueens, SequentialCountIsThatOfTheDefinition) {
  for (int n = 1; n <= 8; ++n) EXPECT_EQ(count_sequentially(NQueens(n)), by_permutations(n)) << n;
}

TEST(NQueens, TasksCountAsKnown) {
  for (int n = 1; n <= 12; ++n) {
    EXPECT_EQ(run(NQueens(n)).result, kQueensSolutions.at(static_cast<std::size_t>(n - 1))) << n;
  }
}

TEST(NQueens, AnyCutoffCountsTheSame) {
  for (const int n : {1, 2, 5, 9, 10}) {
    for (int cutoff = 1; cutoff <= n + 1; ++cutoff) {
      EXPECT_EQ(run(NQueens(n, cutoff)).result,
                kQueensSolutions.at(static_cast<std::size_t>(n - 1)))
          << n << ", cutoff " << cutoff;
    }
  }
}

TEST(NQueens, OneRowMoreForATaskMakesFewerTasks) {
  EXPECT_EQ(run(NQueens(10, 10)).tasks, NQueens(10).roots().size());
  EXPECT_GT(run(NQueens(10, 1)).tasks, 10 * run(NQueens(10, 6)).tasks);
}

TEST(NQueens, TheCutoffMakesTasksOfSomeThousandBoards) {
  const double boards = run(NQueens(12, 1)).tasks;  // but for the last row
  const double boards_per_task = boards / run(NQueens(12)).tasks;
  EXPECT_GT(boards_per_task, 5000 / 8.0);
  EXPECT_LT(boards_per_task, 5000 * 1.5);
}

TEST(NQueens, ASmallBoardIsOneTaskPerRoot) { EXPECT_EQ(NQueens(6).cutoff(), 6); }

}  // namespace
}  // namespace apps
