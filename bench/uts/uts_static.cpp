// uts-static: counts a UTS tree that is divided in advance.
//
// The tree is grown level by level until one has some nodes for each part, and these are dealt out
// like cards; all that hangs below them is that part's.
#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "apps/uts/count_report.hpp"
#include "apps/uts/tree_options.hpp"
#include "apps/uts/uts.hpp"
#include "bench/peer.hpp"
#include "bench/static_division.hpp"

namespace {

using Bag = apps::UtsProblem::Bag;

// Nodes of the level that a part has at least: so few that a level of them is soon reached.
constexpr std::size_t kNodesPerPart = 10;

// The first level of at least so many nodes that have children, empty if there is none. What is
// above it is counted.
Bag first_level_with(std::size_t nodes, const apps::UtsProblem& problem, apps::UtsResult& above) {
  Bag level = problem.root_bag();
  while (!level.empty() && level.size() < nodes) {
    Bag below;
    for (const apps::Node& node : level) {
      problem.expand(node, above, [&below](const apps::Node& child) { below.push_back(child); });
    }
    level = std::move(below);
  }
  return level;
}

Bag hand_of(std::size_t part, std::size_t parts, const Bag& level) {
  Bag hand;
  for (std::size_t i = part; i < level.size(); i += parts) hand.push_back(level[i]);
  return hand;
}

}  // namespace

int main(int argc, char** argv) {
  apps::TreeOptions tree;
  int parts = 0;
  return bench::run_peer(
      {"uts-static", "Counts the nodes of an unbalanced tree that is divided in advance."}, argc,
      argv,
      [&](CLI::App& app) {
        apps::add_tree_options(app, tree);
        bench::add_parts_option(app, parts);
      },
      [&](int threads, apps::Report& report) {
        if (parts == 0) parts = threads;
        const auto many = static_cast<std::size_t>(parts);
        const apps::UtsProblem problem(tree.parameters, tree.hash);
        apps::UtsResult result;
        bench::DoneParts<apps::UtsProblem> done;
        const double seconds = bench::seconds_of([&] {
          const Bag level = first_level_with(kNodesPerPart * many, problem, result);
          done = bench::work_off(problem, parts, threads, [&](int part) {
            return hand_of(static_cast<std::size_t>(part), many, level);
          });
        });

        std::vector<std::uint64_t> tasks;  // each expands one inner node
        tasks.reserve(many);
        for (const apps::UtsResult& part : done.results) {
          tasks.push_back(part.nodes - part.leaves);
          apps::UtsProblem::reduce(result, apps::UtsResult(part));
        }
        report.config = to_json(tree);
        report.statistics = bench::statistics_of(tasks, seconds);
        tell_count(result, tree, report);
        report.result["seconds_of_parts"] = done.seconds;
      });
}
