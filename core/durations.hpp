// Durations: how often something took how long, in buckets a quarter of an octave wide, from 64 ns
// to some minutes. Enough for medians and tails to within 10 %, in a fixed size that travels as
// bytes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>

namespace belay {

// Counts of durations; one thread per object.
class Durations {
 public:
  // Shorter than 64 ns counts as 64 ns, longer than the last bucket as the last.
  void add(std::int64_t ns) noexcept {
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(ns, kShortestNs));
    const auto octave = static_cast<std::size_t>(std::bit_width(value)) - 1;  // 6 or more
    const std::size_t quarter = (value >> (octave - 2)) & 3U;
    ++counts_[std::min(4 * (octave - 6) + quarter, kBuckets - 1)];
  }

  // What the others counted, too.
  void add(const Durations& others) noexcept {
    std::transform(counts_.begin(), counts_.end(), others.counts_.begin(), counts_.begin(),
                   std::plus<>());
  }

  // How many were added.
  [[nodiscard]] std::uint64_t count() const noexcept {
    return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  }

  // The middle of the bucket below which this share of them lies, 0 to 1, in ns; 0 if there are
  // none.
  [[nodiscard]] std::int64_t quantile(double share) const noexcept {
    const auto all = static_cast<double>(count());
    double below = 0;
    for (std::size_t i = 0; i < kBuckets && all > 0; ++i) {
      below += static_cast<double>(counts_[i]);
      if (counts_[i] > 0 && below >= share * all) return middle(i);
    }
    return 0;
  }

  // How many buckets there are.
  static constexpr std::size_t kBuckets = 128;

  // Of those that count in this bucket, in ns.
  [[nodiscard]] static std::int64_t shortest(std::size_t bucket) noexcept {
    return (4 + static_cast<std::int64_t>(bucket % 4)) * width(bucket);
  }
  // How many there are in this bucket.
  [[nodiscard]] std::uint64_t count(std::size_t bucket) const noexcept { return counts_[bucket]; }

  // The same number in each bucket.
  friend bool operator==(const Durations&, const Durations&) = default;

 private:
  static constexpr std::int64_t kShortestNs = 64;

  static std::int64_t width(std::size_t bucket) noexcept {
    return std::int64_t{16} << (bucket / 4);
  }
  static std::int64_t middle(std::size_t bucket) noexcept {
    return shortest(bucket) + width(bucket) / 2;
  }

  std::array<std::uint64_t, kBuckets> counts_{};
};

}  // namespace belay
