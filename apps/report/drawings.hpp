// One function per kind of figure: its gnuplot script, or nothing if the run has nothing to show.
#pragma once

#include <string>
#include <vector>

#include "apps/report/run_data.hpp"

namespace apps {

[[nodiscard]] std::string draw_life_story(const RunData& run);
[[nodiscard]] std::string draw_throughput(const RunData& run);

// A bar per worker, with mean and deviation. After Zhang et al., GLB: Lifeline-based Global Load
// Balancing Library in X10, PPAA 2014, doi 10.1145/2567634.2567639, figures 6, 8 and 10.
[[nodiscard]] std::string draw_bars(const RunData& run, const std::vector<double>& of_workers,
                                    const std::string& what, const std::string& unit,
                                    const char* colour);
[[nodiscard]] std::string draw_steals(const RunData& run);

// `time` says from when to when, `counted` what took so long.
[[nodiscard]] std::string draw_latencies(const Histogram& histogram, const std::string& time,
                                         const std::string& counted);

}  // namespace apps
