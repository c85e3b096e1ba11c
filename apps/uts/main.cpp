// uts: counts an unbalanced tree over all ranks and threads. The count of a tree that has
// a name is checked; that of another one with --verify.
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
  return apps::run_and_report(
      session, stop, options, {.program = "uts", .config = to_json(tree)}, problem,
      belay::at_root(problem.root_bag()), [&](const apps::UtsResult& result, apps::Report& report) {
        tell_count(result, tree, report);
        if (!report.check && options.verify) {
          report.check = apps::compare(report.result, to_json(count_sequentially(problem)),
                                       "as counted sequentially");
        }
      });
}

}  // namespace

int main(int argc, char** argv) { return apps::run_stoppable_program("uts", argc, argv, uts); }
