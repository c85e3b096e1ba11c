#include "apps/uts/count_report.hpp"

#include <iostream>
#include <optional>
#include <string>

namespace apps {

namespace {

template <class Count>
std::string or_unknown(const std::optional<Count>& count) {
  return count ? std::to_string(*count) : "unknown";
}

}  // namespace

bool is_right(const UtsResult& result, const TreeOptions& tree) {
  if (tree.known == nullptr) return true;
  const KnownTree& known = *tree.known;  // agreement in whatever is known of it
  return result.nodes == known.nodes && result.leaves == known.leaves.value_or(result.leaves) &&
         result.depth == known.depth.value_or(result.depth);
}

void publish_count(Report report, const TreeOptions& tree, const UtsResult& result,
                   const ReportOptions& options) {
  const bool right = is_right(result, tree);
  report.config.update(to_json(tree));
  report.result = {{"nodes", result.nodes}, {"leaves", result.leaves}, {"depth", result.depth}};
  if (tree.known != nullptr) {
    report.verdict = right ? "right, as published for " + std::string(tree.known->name) : "WRONG";
  }
  report.counted = "nodes";
  report.count = result.nodes;
  publish(report, options);
  if (!right) {
    std::cerr << report.program << ": wrong count: " << result.nodes << " nodes, " << result.leaves
              << " leaves, depth " << result.depth << "; " << tree.known->name << " has "
              << tree.known->nodes << ", " << or_unknown(tree.known->leaves) << ", "
              << or_unknown(tree.known->depth) << std::endl;
  }
}

}  // namespace apps
