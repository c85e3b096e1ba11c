// What programs that count the solutions of N queens take and tell, and whether they are right.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "apps/common/options.hpp"
#include "apps/common/report.hpp"
#include "apps/nqueens/nqueens.hpp"

namespace apps {

// For N from 1 on; https://oeis.org/A000170.
inline constexpr std::array<std::uint64_t, NQueens::kMaxN> kQueensSolutions{
    1,
    0,
    0,
    2,
    10,
    4,
    40,
    92,
    352,
    724,
    2'680,
    14'200,
    73'712,
    365'596,
    2'279'184,
    14'772'512,
    95'815'104,
    666'090'624,
    4'968'057'848,
    39'029'188'884,
    314'666'222'712,
    2'691'008'701'644,
    24'233'937'684'440,
    227'514'171'973'736,
    2'207'893'435'808'352,
    22'317'699'616'364'044,
    234'907'967'154'122'528};

struct QueensOptions {
  int n = 0;
  int cutoff = 0;
};

// `options` must live as long as `app`.
inline void add_queens_options(CLI::App& app, QueensOptions& options) {
  add_number(app, "N", options.n, 1, NQueens::kMaxN, "queens, on N rows, 1 to 27")->required();
  add_number(app, "--cutoff", options.cutoff, 1, NQueens::kMaxN,
             "rows left that a task fills alone; default auto: as many as take some 30 us", "auto")
      ->type_name("auto|ROWS");
}

[[nodiscard]] inline nlohmann::ordered_json to_json(const NQueens& problem) {
  return {{"n", problem.n()}, {"cutoff", problem.cutoff()}};
}

// Fills in the count and its check.
inline void tell_solutions(std::uint64_t solutions, const NQueens& problem, Report& report) {
  const auto known = kQueensSolutions.at(static_cast<std::size_t>(problem.n() - 1));
  report.result = {{"solutions", solutions}};
  report.counted = "solutions";
  report.check = compare(report.result, {{"solutions", known}}, "as in OEIS A000170");
}

}  // namespace apps
