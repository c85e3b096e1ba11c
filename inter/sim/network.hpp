// Network: when a message arrives.
//
// Delays are random, so messages of different pairs of ranks overtake each other. Within a
// pair it orders as MPI does: messages are matched in the order in which they were sent, but
// loot takes longer to be complete, and small messages sent after it overtake it. By option it
// keeps no order at all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "belay/core/rng.hpp"
#include "belay/inter/sim/costs.hpp"

namespace belay::sim {

class Network {
 public:
  Network(const Costs& costs, std::uint64_t seed) : costs_(costs), rng_(seed, kStream) {}

  // The delay from now to the arrival of a message that is sent after this time; now: no later than
  // in any call to come; loot_tasks: 0 for a small one.
  Nanoseconds delay(int from, int to, Nanoseconds now, Nanoseconds after,
                    std::uint64_t loot_tasks) {
    Nanoseconds matched = on_grid(costs_, now + after + draw_latency());
    if (costs_.pairs_in_order) {
      forget_past(now);
      // Strictly later, since what happens in the same instant has no order.
      Nanoseconds& last = last_matched_[pair(from, to)];
      matched = std::max(matched, last + costs_.grid);
      last = matched;
    }
    return matched - now + transfer_time(costs_, loot_tasks);
  }

 private:
  // Of the seed, beside those of the engines, which are numbered by rank.
  static constexpr std::uint64_t kStream = ~std::uint64_t{2};

  Nanoseconds draw_latency() {
    const auto spread = static_cast<std::uint32_t>(costs_.latency_max - costs_.latency_min + 1);
    const Nanoseconds drawn = costs_.latency_min + rng_.below(spread);
    const std::uint32_t one_in = costs_.one_straggler_in;
    return one_in > 0 && rng_.below(one_in) == 0 ? longest_latency(costs_) : drawn;
  }

  // Of the pairs of thousands of ranks few have messages under way.
  void forget_past(Nanoseconds now) {
    if (last_matched_.size() < forget_at_) return;
    std::erase_if(last_matched_,
                  [&](const auto& last) { return last.second + costs_.grid <= now; });
    forget_at_ = std::max(forget_at_, 2 * last_matched_.size());
  }

  static std::uint64_t pair(int from, int to) {
    return (static_cast<std::uint64_t>(from) << 32U) | static_cast<std::uint32_t>(to);
  }

  Costs costs_;
  Rng rng_;
  std::unordered_map<std::uint64_t, Nanoseconds> last_matched_;  // of those under way, at least
  std::size_t forget_at_ = 1024;
};

}  // namespace belay::sim
