#include "apps/uts/count_report.hpp"

#include <optional>
#include <string>

namespace apps {

namespace {

using Json = nlohmann::ordered_json;

template <class Count>
Json or_null(const std::optional<Count>& count) {
  return count ? Json(*count) : Json();
}

}  // namespace

Json to_json(const UtsResult& result) {
  return {{"nodes", result.nodes}, {"leaves", result.leaves}, {"depth", result.depth}};
}

void tell_count(const UtsResult& result, const TreeOptions& tree, Report& report) {
  report.result = to_json(result);
  report.counted = "nodes";
  if (tree.known == nullptr) return;
  const KnownTree& known = *tree.known;
  report.check = compare(
      report.result,
      {{"nodes", known.nodes}, {"leaves", or_null(known.leaves)}, {"depth", or_null(known.depth)}},
      "as published for " + std::string(known.name));
}

}  // namespace apps
