// uts: counts an unbalanced tree over all ranks and threads. With --tree NAME the count is
// checked, and a wrong one ends with status 1.
#include <CLI/CLI.hpp>
#include <belay/belay.hpp>
#include <iostream>
#include <optional>
#include <string>

#include "apps/common/options.hpp"
#include "apps/common/program.hpp"
#include "apps/common/report.hpp"
#include "apps/uts/known_trees.hpp"
#include "apps/uts/tree_options.hpp"
#include "apps/uts/uts.hpp"

namespace {

template <class Count>
std::string or_unknown(const std::optional<Count>& count) {
  return count ? std::to_string(*count) : "unknown";
}

// Agreement in whatever is known of the tree.
bool is_right(const apps::UtsResult& result, const apps::KnownTree& tree) {
  return result.nodes == tree.nodes && result.leaves == tree.leaves.value_or(result.leaves) &&
         result.depth == tree.depth.value_or(result.depth);
}

int uts(belay::Session& session, int argc, char** argv) {
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
  const auto [result, statistics] = belay::run_with_statistics(
      session, problem, belay::at_root(problem.root_bag()), options.parameters);
  const bool wrong = tree.known != nullptr && !is_right(result, *tree.known);
  if (session.rank() == 0) {
    apps::publish(
        {.program = "uts",
         .config = to_json(tree),
         .result = {{"nodes", result.nodes}, {"leaves", result.leaves}, {"depth", result.depth}},
         .verdict = tree.known == nullptr ? ""
                    : wrong               ? "WRONG"
                            : "right, as published for " + std::string(tree.known->name),
         .mpi_library = session.mpi_library(),
         .parameters = options.parameters,
         .statistics = statistics,
         .counted = "nodes",
         .count = result.nodes},
        options);
    if (wrong) {
      std::cerr << "uts: wrong count: " << result.nodes << " nodes, " << result.leaves
                << " leaves, depth " << result.depth << "; " << tree.known->name << " has "
                << tree.known->nodes << ", " << or_unknown(tree.known->leaves) << ", "
                << or_unknown(tree.known->depth) << std::endl;
    }
  }
  return wrong ? apps::kFailed : 0;
}

}  // namespace

int main(int argc, char** argv) { return apps::run_program("uts", argc, argv, uts); }
