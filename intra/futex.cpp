#include "belay/intra/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace belay {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t) &&
              std::atomic<std::uint32_t>::is_always_lock_free);

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                std::optional<std::chrono::nanoseconds> timeout) noexcept {
  timespec relative{};
  if (timeout) {
    relative.tv_sec = static_cast<time_t>(timeout->count() / 1'000'000'000);
    relative.tv_nsec = static_cast<long>(timeout->count() % 1'000'000'000);
  }
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, timeout ? &relative : nullptr, nullptr,
          0);
}

void futex_wake(std::atomic<std::uint32_t>& word, int count) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

}  // namespace belay
