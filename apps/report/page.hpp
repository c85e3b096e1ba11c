// A run's figures in one HTML page that needs nothing else: no network, no scripts, no other files.
#pragma once

#include <string>
#include <vector>

#include "apps/report/figures.hpp"
#include "apps/report/run_data.hpp"

namespace apps {

// `svgs` are the images of `figures`, in their order, empty where the figure is. Text of the run is
// escaped.
[[nodiscard]] std::string page_of(const RunData& run, const std::vector<Figure>& figures,
                                  const std::vector<std::string>& svgs);

}  // namespace apps
