// nqueens N: counts the ways to place N queens, over all ranks and threads, and checks the count.
#include <CLI/CLI.hpp>
#include <belay/belay.hpp>

#include "apps/common/options.hpp"
#include "apps/common/stoppable.hpp"
#include "apps/nqueens/nqueens.hpp"
#include "apps/nqueens/queens_options.hpp"

namespace {

int nqueens(belay::Session& session, const apps::StopOnSignal& stop, int argc, char** argv) {
  CLI::App app(
      "Counts the ways to place N queens so that none attacks another, over all ranks and threads.",
      "nqueens");
  apps::QueensOptions queens;
  apps::CommonOptions options;
  apps::add_queens_options(app, queens);
  apps::add_common_options(app, options);
  if (const auto status = apps::parse(session, app, options, argc, argv)) return *status;

  const apps::NQueens problem(queens.n, queens.cutoff);
  return apps::run_and_report(
      session, stop, options, {.program = "nqueens", .config = to_json(problem)}, problem,
      belay::at_root(problem.roots()), [&](std::uint64_t solutions, apps::Report& report) {
        tell_solutions(solutions, problem, report);
      });
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run_stoppable_program("nqueens", argc, argv, nqueens);
}
