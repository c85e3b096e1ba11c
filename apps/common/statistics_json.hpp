// What a run counted on a rank, as JSON with stable keys; the README's table lists them, and
// core/statistics.hpp says what each means.
#pragma once

#include <array>
#include <nlohmann/json.hpp>

#include "belay/core/statistics.hpp"

namespace apps {

// By RequestKind and by ThreadState.
inline constexpr std::array kRequestKindNames{"random", "lifeline", "prefetch"};
static_assert(kRequestKindNames.size() == belay::kRequestKinds);
inline constexpr std::array kThreadStateNames{"computing", "stealing", "distributing", "probing",
                                              "idle"};
static_assert(kThreadStateNames.size() == belay::kThreadStates);

// All but the trace.
[[nodiscard]] nlohmann::ordered_json to_json(const belay::RankStatistics& rank);

}  // namespace apps
