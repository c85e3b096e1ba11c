// N queens: in how many ways can N queens stand on a board of N times N so that none attacks
// another? The classic search whose subtrees differ without any pattern.
//
// A task is a board whose upper rows are filled. Where the queens stand need not be kept: three bit
// masks say which squares of the next row they attack (Richards, Backtracking Algorithms in MCPL
// using Bit Patterns and Recursion, 1997). Only one of two mirrored boards is searched; it counts
// twice.
//
// With few rows left, a board is finished by a loop of its own, in one task. How few must not
// depend on the clock, lest ranks differ: N and random probes from a fixed seed decide.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "belay/core/rng.hpp"
#include "belay/core/task_problem.hpp"

namespace apps {

// The squares of the next row that the queens so far attack.
struct Board {
  std::uint32_t columns = 0;
  std::uint32_t left = 0;   // by diagonals that run to higher bits
  std::uint32_t right = 0;  // to lower bits

  // With a queen on that square of the next row.
  [[nodiscard]] Board with(std::uint32_t square) const {
    return {columns | square, (left | square) << 1U, (right | square) >> 1U};
  }
};

// A belay::TaskFunction.
class NQueens {
 public:
  using Task = Board;
  using Result = std::uint64_t;  // solutions

  static constexpr int kMaxN = 27;  // nobody knows more

  // n: 1 to kMaxN. cutoff: with how many rows left, or fewer, a task finishes its board; 0: as
  // many as make tasks of some 30 us.
  explicit NQueens(int n, int cutoff = 0)
      : n_(n), all_((1U << static_cast<unsigned>(n)) - 1), cutoff_(cutoff) {
    if (cutoff_ == 0) cutoff_ = measured_cutoff();
  }

  [[nodiscard]] int n() const { return n_; }
  [[nodiscard]] int cutoff() const { return cutoff_; }

  // One of each pair of mirrored boards: the first queen is left of the middle, or it is in the
  // middle and the second one left of it.
  [[nodiscard]] std::vector<Board> roots() const {
    if (n_ == 1) return {Board{}.with(1)};
    const std::uint32_t middle = 1U << static_cast<unsigned>(n_ / 2);
    std::vector<Board> boards;
    for_each_square(middle - 1,
                    [&](std::uint32_t square) { boards.push_back(Board{}.with(square)); });
    if (n_ % 2 == 1) {
      const Board board = Board{}.with(middle);
      for_each_square(free_squares(board) & (middle - 1),
                      [&](std::uint32_t square) { boards.push_back(board.with(square)); });
    }
    return boards;
  }

  // One task: hands the boards with one more queen to push(const Board&), or counts.
  template <class Push>
  void visit(const Board& board, Push&& push, Result& solutions) const {
    if (n_ - std::popcount(board.columns) <= cutoff_) {
      solutions += count(board);
    } else {
      for_each_square(free_squares(board), [&](std::uint32_t square) { push(board.with(square)); });
    }
  }

  void operator()(const Board& board, belay::Spawn<Board>& spawn, Result& solutions) const {
    visit(board, spawn, solutions);
  }

  // The solutions that begin like this board or its mirror image, found on this thread.
  [[nodiscard]] Result count(const Board& board) const {
    const std::uint32_t free = free_squares(board);
    const Result found = free != 0 ? count_below(board, free) : is_full(board) ? 1 : 0;
    return n_ == 1 ? found : 2 * found;
  }

  static void reduce(Result& into, Result&& from) { into += from; }

 private:
  template <class Call>
  static void for_each_square(std::uint32_t squares, Call&& call) {
    for (; squares != 0; squares &= squares - 1) call(squares & -squares);
  }

  [[nodiscard]] std::uint32_t free_squares(const Board& board) const {
    return all_ & ~(board.columns | board.left | board.right);
  }
  [[nodiscard]] bool is_full(const Board& board) const { return board.columns == all_; }

  // free: the board's free squares, at least one. To look at the next row's before calling saves
  // a tenth; a stack of one's own, or the number of rows as a template parameter, saves nothing.
  [[nodiscard]] Result count_below(const Board& board, std::uint32_t free) const {
    Result found = 0;
    for_each_square(free, [&](std::uint32_t square) {
      const Board next = board.with(square);
      const std::uint32_t next_free = free_squares(next);
      if (next_free != 0) {
        found += count_below(next, next_free);
      } else if (is_full(next)) {
        ++found;
      }
    });
    return found;
  }

  // Random descents tell how many boards there are with so many rows filled: each step multiplies
  // by the number of free squares (Knuth, Estimating the Efficiency of Backtrack Programs, 1975,
  // 10.1090/S0025-5718-1975-0373371-6). A row less divides what lies below by five or so, which
  // a thousand descents tell apart well.
  [[nodiscard]] int measured_cutoff() const {
    constexpr int kDescents = 1000;
    constexpr double kBoardsPerTask = 5000;  // of 6 ns
    std::array<double, kMaxN + 1> boards{};  // by rows filled
    belay::Rng rng(1);
    for (int i = 0; i < kDescents; ++i) {
      Board board;
      double weight = 1;
      for (std::size_t row = 0;; ++row) {
        boards[row] += weight;
        std::uint32_t free = free_squares(board);
        if (free == 0) break;
        const auto choices = static_cast<std::uint32_t>(std::popcount(free));
        for (std::uint32_t skip = rng.below(choices); skip > 0; --skip) free &= free - 1;
        board = board.with(free & -free);
        weight *= choices;
      }
    }
    double below = 0;
    for (int left = 1; left < n_; ++left) {
      const int filled = n_ - left;
      const auto row = static_cast<std::size_t>(filled);
      below += boards[row + 1];
      if (below > kBoardsPerTask * boards[row]) return left - 1;
    }
    return n_;
  }

  int n_;
  std::uint32_t all_;  // the squares of a row
  int cutoff_;
};

// On one thread, with no scheduler.
[[nodiscard]] inline std::uint64_t count_sequentially(const NQueens& problem) {
  std::uint64_t solutions = 0;
  for (const Board& board : problem.roots()) solutions += problem.count(board);
  return solutions;
}

}  // namespace apps
