// Work without use that takes a given time: what the tasks of synthetic benchmarks do.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace apps {

enum class Work : std::uint8_t {
  busy,   // looks at the clock until the time is over: occupies a core, as real tasks do. Time
          // passes for a thread without a core too, so that threads should have one each
  sleep,  // occupies none: more workers than the machine has cores. Systems sleep some 50 us longer
  none    // takes no time: what is left is the scheduler's own
};

// What --work calls them.
inline const std::vector<std::pair<std::string, Work>> kWorkNames{
    {"busy", Work::busy}, {"sleep", Work::sleep}, {"none", Work::none}};
inline constexpr const char* kWorkHelp =
    "how tasks pass their time; default busy; sleep occupies no core";

// The longest task that options ask for: 10 s, since a stop waits for its end.
inline constexpr double kMaxTaskUs = 1e7;

[[nodiscard]] inline std::chrono::nanoseconds from_us(double us) {
  return std::chrono::round<std::chrono::nanoseconds>(
      std::chrono::duration<double, std::micro>(us));
}

inline void work_off(Work work, std::chrono::nanoseconds length) {
  using Clock = std::chrono::steady_clock;
  if (work == Work::none || length.count() <= 0) return;
  if (work == Work::sleep) {
    std::this_thread::sleep_for(length);
  } else {
    const auto end = Clock::now() + length;
    while (Clock::now() < end) {
    }
  }
}

}  // namespace apps
