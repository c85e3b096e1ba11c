// MpiMailbox: byte messages between the ranks of one communicator, under one tag.
//
// Only non-blocking calls. MPI counts bytes with an int. A longer message goes as several parts,
// of which only the last is shorter than the longest part; since a sender's parts are matched in
// order, they need no header. (A derived datatype would do too, but that is where MPI libraries
// had their faults.)
#pragma once

#include <mpi.h>

#include <cstddef>
#include <list>
#include <mutex>
#include <vector>

#include "belay/inter/transport/mailbox.hpp"

namespace belay {

class MpiMailbox final : public Mailbox {
 public:
  // As long as a part may be; all ranks must agree on it.
  static constexpr std::size_t kPartBytes = std::size_t{1} << 30U;

  // The communicator outlives this object. part_bytes: 1 to 2^31 - 1.
  MpiMailbox(MPI_Comm communicator, int tag, std::size_t part_bytes = kPartBytes)
      : communicator_(communicator), tag_(tag), part_bytes_(part_bytes) {}

  void send(int to, Bytes bytes) override;
  bool poll(const Handler& handler) override;
  [[nodiscard]] bool has_message() override;
  [[nodiscard]] bool busy() const noexcept override {
    return !sends_.empty() || !receives_.empty();
  }

 private:
  struct Outgoing {
    Bytes bytes;
    std::vector<MPI_Request> requests;  // of its parts
  };
  struct Incoming {
    int peer = 0;
    std::vector<Bytes> parts;
    std::vector<MPI_Request> requests;
    bool all_matched = false;
  };

  // The message of which the next part from this peer is one.
  std::list<Incoming>::iterator message_from(int peer);
  bool receive_next(const Handler& handler);

  std::recursive_mutex mpi_;  // handlers send
  MPI_Comm communicator_;
  int tag_;
  std::size_t part_bytes_;
  std::list<Outgoing> sends_;
  std::list<Incoming> receives_;
};

}  // namespace belay
