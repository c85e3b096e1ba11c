// uts: counts an unbalanced tree over all ranks and threads. With --tree NAME the count is
// checked, and a wrong one ends with status 1.
#include <CLI/CLI.hpp>
#include <belay/belay.hpp>

#include "apps/common/options.hpp"
#include "apps/common/stoppable.hpp"
#include "apps/uts/count_report.hpp"
#include "apps/uts/tree_options.hpp"
#include "apps/uts/uts.hpp"

namespace {

int uts(belay::Session& session, const apps::StopOnSignal& stop, int argc, char** argv) {
  CLI::App app(
      "Counts the nodes of an unbalanced tree, made up as the search goes, over all ranks and "
      "threads.",
      "uts");
  apps::TreeOptions tree;
  apps::CommonOptions options;
  apps::add_tree_options(app, tree);
  apps::add_common_options(app, options);
  if (const auto status = apps::parse(session, app, options, argc, argv)) return *status;

  const apps::UtsProblem problem(tree.parameters, tree.hash);
  const auto [result, statistics] =
      apps::run_stoppable(session, stop, options, {.program = "uts", .config = to_json(tree)},
                          [&](const belay::Parameters& parameters) {
                            return belay::run_with_statistics(
                                session, problem, belay::at_root(problem.root_bag()), parameters);
                          });
  if (session.rank() == 0) {
    apps::publish_count({.program = "uts",
                         .mpi_library = session.mpi_library(),
                         .parameters = options.parameters,
                         .statistics = statistics},
                        tree, result, options);
  }
  return apps::is_right(result, tree) ? 0 : apps::kFailed;
}

}  // namespace

int main(int argc, char** argv) { return apps::run_stoppable_program("uts", argc, argv, uts); }
