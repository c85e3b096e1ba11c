// What a program that counts a UTS tree says at its end, and whether the count is right.
#pragma once

#include "apps/common/options.hpp"
#include "apps/common/report.hpp"
#include "apps/uts/tree_options.hpp"
#include "apps/uts/uts.hpp"

namespace apps {

// False if the tree is a well-known one that --tree named, and the count another than its own.
[[nodiscard]] bool is_right(const UtsResult& result, const TreeOptions& tree);

// On rank 0. `report` says what ran; the tree, the count and the verdict are filled in here. A
// wrong count is also said on stderr.
void publish_count(Report report, const TreeOptions& tree, const UtsResult& result,
                   const ReportOptions& options);

}  // namespace apps
