#include "belay/inter/mpi/mailbox.hpp"

#include <mpi.h>

#include <limits>
#include <list>
#include <stdexcept>
#include <string>
#include <utility>

#include "belay/inter/mpi/errors.hpp"

namespace belay {

class Mailbox::Impl {
 public:
  Impl(MPI_Comm communicator, int tag) : communicator_(communicator), tag_(tag) {}

  void send(int to, Bytes bytes) {
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      throw std::length_error("a message of " + std::to_string(bytes.size()) +
                              " bytes is longer than MPI counts (2147483647)");
    }
    Transfer& transfer = sends_.emplace_back(Transfer{std::move(bytes), MPI_REQUEST_NULL, to});
    check_mpi(MPI_Isend(transfer.bytes.data(), static_cast<int>(transfer.bytes.size()), MPI_BYTE,
                        to, tag_, communicator_, &transfer.request),
              "MPI_Isend");
    if (complete(transfer)) sends_.pop_back();
  }

  bool poll(const Handler& handler) {
    bool any = false;
    sends_.remove_if([](Transfer& transfer) { return complete(transfer); });
    for (auto transfer = receives_.begin(); transfer != receives_.end();) {
      if (complete(*transfer)) {
        handler(transfer->peer, transfer->bytes);
        transfer = receives_.erase(transfer);
        any = true;
      } else {
        ++transfer;
      }
    }
    // Bounded, so that a flood of requests cannot keep the caller from its node.
    for (int i = 0; i < kMostPerPoll && receive_next(handler); ++i) any = true;
    return any;
  }

  [[nodiscard]] bool busy() const noexcept { return !sends_.empty() || !receives_.empty(); }

 private:
  static constexpr int kMostPerPoll = 64;

  struct Transfer {
    Bytes bytes;
    MPI_Request request;
    int peer;
  };

  static bool complete(Transfer& transfer) {
    int done = 0;
    check_mpi(MPI_Test(&transfer.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  }

  bool receive_next(const Handler& handler) {
    int found = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    // Twice: both MPIs report a message one call late, which doubled the time to pick it up.
    for (int attempt = 0; attempt < 2 && found == 0; ++attempt) {
      check_mpi(MPI_Improbe(MPI_ANY_SOURCE, tag_, communicator_, &found, &message, &status),
                "MPI_Improbe");
    }
    if (found == 0) return false;
    int size = 0;
    check_mpi(MPI_Get_count(&status, MPI_BYTE, &size), "MPI_Get_count");
    Transfer& transfer = receives_.emplace_back(
        Transfer{Bytes(static_cast<std::size_t>(size)), MPI_REQUEST_NULL, status.MPI_SOURCE});
    check_mpi(MPI_Imrecv(transfer.bytes.data(), size, MPI_BYTE, &message, &transfer.request),
              "MPI_Imrecv");
    if (complete(transfer)) {
      const Transfer received = std::move(transfer);
      receives_.pop_back();
      handler(received.peer, received.bytes);
    }
    return true;
  }

  MPI_Comm communicator_;
  int tag_;
  std::list<Transfer> sends_;
  std::list<Transfer> receives_;
};

Mailbox::Mailbox(const void* communicator, int tag)
    : impl_(std::make_unique<Impl>(*static_cast<const MPI_Comm*>(communicator), tag)) {}
Mailbox::~Mailbox() = default;

void Mailbox::send(int to, Bytes bytes) { impl_->send(to, std::move(bytes)); }
bool Mailbox::poll(const Handler& handler) { return impl_->poll(handler); }
bool Mailbox::busy() const noexcept { return impl_->busy(); }

}  // namespace belay
