// BackOff: how long a node without lifelines waits between two rounds of fruitless requests.
// Doubles from the first to the longest, which bounds both the requests that idle nodes send and
// the time until one notices new work.
#pragma once

#include <algorithm>
#include <cstdint>

namespace belay {

class BackOff {
 public:
  static constexpr std::int64_t kFirstNs = 50'000;  // about a request's round trip
  static constexpr std::int64_t kLongestNs = 5'000'000;

  // A round was fruitless.
  void begin(std::int64_t now_ns) noexcept {
    until_ns_ = now_ns + length_ns_;
    length_ns_ = std::min(2 * length_ns_, kLongestNs);
  }
  [[nodiscard]] bool over(std::int64_t now_ns) const noexcept { return now_ns >= until_ns_; }
  void reset() noexcept { *this = BackOff(); }

 private:
  std::int64_t length_ns_ = kFirstNs;
  std::int64_t until_ns_ = INT64_MIN;
};

}  // namespace belay
