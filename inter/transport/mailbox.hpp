// Mailbox: byte messages between the ranks of a session, during one run.
//
// Messages of one sender are matched in the order in which they were sent, but a small one can be
// complete before an earlier large one. No rank in its next run can reach one that is still in
// this one. One thread per object, the communication thread, but for has_message().
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace belay {

class Mailbox {
 public:
  using Bytes = std::vector<std::byte>;
  using Handler = std::function<void(int from, std::span<const std::byte> bytes)>;

  Mailbox() = default;
  // Everything sent has been received by then; see the protocol's end.
  virtual ~Mailbox() = default;
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // Starts sending, any number of bytes.
  virtual void send(int to, Bytes bytes) = 0;

  // Hands over what has arrived, each message once. True if there was any.
  virtual bool poll(const Handler& handler) = 0;

  // Has a message arrived that poll() would find? May be called by any thread if
  // Ranks::any_thread_may_call(). Never waits: false while the object's own thread is at it.
  [[nodiscard]] virtual bool has_message() = 0;

  // A send or a receive is incomplete: it needs calls to make progress, do not sleep.
  [[nodiscard]] virtual bool busy() const noexcept = 0;
};

}  // namespace belay
