// What --stats prints: every counter of a run over its workers and over its ranks, with total,
// mean, deviation, least and most, in 80 columns.
#pragma once

#include <string>

#include "belay/core/statistics.hpp"

namespace apps {

[[nodiscard]] std::string statistics_table(const belay::Statistics& statistics);

}  // namespace apps
