// Medians and other quantiles of measurements; of two possible ones the upper.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace bench {

// The value below which this share of them lies, 0 to 1. values: at least one.
inline double quantile(std::vector<double> values, double share) {
  const auto size = static_cast<double>(values.size());
  const auto at = std::min(static_cast<std::size_t>(share * size), values.size() - 1);
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(at);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

inline double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

}  // namespace bench
