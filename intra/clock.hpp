// The steady clock that all threads of a node read their times from.
#pragma once

#include <chrono>
#include <cstdint>

namespace belay {

// In ns from some moment of this host's own.
[[nodiscard]] inline std::int64_t now_ns() noexcept {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

[[nodiscard]] inline double seconds_between(std::int64_t from_ns, std::int64_t to_ns) noexcept {
  return static_cast<double>(to_ns - from_ns) * 1e-9;
}

}  // namespace belay
