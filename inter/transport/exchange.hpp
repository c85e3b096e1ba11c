// Exchanges of messages in which a rank waits for what must come: before and after the protocol.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "belay/inter/transport/mailbox.hpp"

namespace belay {

struct Letter {
  int from = 0;
  Mailbox::Bytes bytes;
};

// Waits for at least `count` messages; returns all that came. Yields at first, then sleeps: other
// ranks may still be busy with something else.
inline std::vector<Letter> receive(Mailbox& mailbox, std::size_t count) {
  constexpr int kYields = 1000;
  constexpr std::chrono::microseconds kSleep{100};
  std::vector<Letter> received;
  for (int idle = 0; received.size() < count;) {
    const bool any = mailbox.poll([&](int from, std::span<const std::byte> bytes) {
      received.push_back({from, {bytes.begin(), bytes.end()}});
    });
    if (any) {
      idle = 0;
    } else if (++idle < kYields || mailbox.busy()) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(kSleep);
    }
  }
  return received;
}

// Waits until all that was sent, and is to be received by somebody, has left. Nothing is expected.
inline void finish_sends(Mailbox& mailbox) {
  while (mailbox.busy()) {
    mailbox.poll([](int, std::span<const std::byte>) {});
    std::this_thread::yield();
  }
}

}  // namespace belay
