// Sleeping in the kernel until a 32-bit word changes: the only two calls through which a
// thread of belay goes to sleep or wakes another (futex(2), private to the process).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace belay {

// Sleeps while the word holds `expected`, at most for `timeout` when one is given. Returns at
// a wake, at the timeout, at a signal, at once if the word differs: check again.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                std::optional<std::chrono::nanoseconds> timeout = std::nullopt) noexcept;

// Wakes at most `count` threads asleep on the word.
void futex_wake(std::atomic<std::uint32_t>& word, int count) noexcept;

inline constexpr int kWakeAll = 0x7fffffff;

}  // namespace belay
