// What a program that counts a UTS tree says of it, and whether the count is right.
#pragma once

#include <nlohmann/json.hpp>

#include "apps/common/report.hpp"
#include "apps/uts/tree_options.hpp"
#include "apps/uts/uts.hpp"

namespace apps {

[[nodiscard]] nlohmann::ordered_json to_json(const UtsResult& result);

// Fills in the count, and its check if --tree named a well-known tree.
void tell_count(const UtsResult& result, const TreeOptions& tree, Report& report);

}  // namespace apps
