// Mailbox: byte messages between the ranks of one communicator, under one tag.
//
// Only non-blocking calls. Messages of one sender are matched in the order in which they were
// sent, but a small one can be complete before an earlier large one. Each run has a tag of its
// own, so a rank that is already in its next run cannot reach one that is still in this one.
//
// MPI counts bytes with an int. A longer message goes as several parts, of which only the last
// is shorter than the longest part; since a sender's parts are matched in order, they need no
// header. (A derived datatype would do too, but that is where MPI libraries had their faults.)
//
// One thread per object, the communication thread, but for has_message().
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace belay {

class Mailbox {
 public:
  using Bytes = std::vector<std::byte>;
  using Handler = std::function<void(int from, std::span<const std::byte> bytes)>;

  // As long as a part may be; all ranks must agree on it.
  static constexpr std::size_t kPartBytes = std::size_t{1} << 30U;

  // communicator: points to an MPI_Comm, which outlives this object. part_bytes: 1 to 2^31 - 1.
  Mailbox(const void* communicator, int tag, std::size_t part_bytes = kPartBytes);
  // Everything sent has been received by then; see the protocol's end.
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // Starts sending, any number of bytes.
  void send(int to, Bytes bytes);

  // Hands over what has arrived, each message once. True if there was any.
  bool poll(const Handler& handler);

  // Has a message arrived that poll() would find? May be called by any thread if MPI's level is
  // at least MPI_THREAD_SERIALIZED. Never waits: false while the object's own thread is in MPI.
  [[nodiscard]] bool has_message();

  // A send or a receive is incomplete: MPI needs calls to make progress, do not sleep.
  [[nodiscard]] bool busy() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace belay
