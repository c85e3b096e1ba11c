#include "belay/inter/mpi/mailbox.hpp"

#include <mpi.h>

#include <algorithm>
#include <iterator>
#include <list>
#include <mutex>
#include <utility>

#include "belay/inter/mpi/errors.hpp"

namespace belay {

class Mailbox::Impl {
 public:
  Impl(MPI_Comm communicator, int tag, std::size_t part_bytes)
      : communicator_(communicator), tag_(tag), part_bytes_(part_bytes) {}

  void send(int to, Bytes bytes) {
    const std::lock_guard in_mpi(mpi_);
    Outgoing& outgoing = sends_.emplace_back();
    outgoing.bytes = std::move(bytes);
    std::size_t begin = 0;
    std::size_t size = part_bytes_;
    while (size == part_bytes_) {
      size = std::min(part_bytes_, outgoing.bytes.size() - begin);
      MPI_Request& request = outgoing.requests.emplace_back(MPI_REQUEST_NULL);
      check_mpi(MPI_Isend(outgoing.bytes.data() + begin, static_cast<int>(size), MPI_BYTE, to, tag_,
                          communicator_, &request),
                "MPI_Isend");
      begin += size;
    }
    if (complete(outgoing.requests)) sends_.pop_back();
  }

  bool poll(const Handler& handler) {
    const std::lock_guard in_mpi(mpi_);
    bool any = false;
    sends_.remove_if([](Outgoing& outgoing) { return complete(outgoing.requests); });
    for (auto incoming = receives_.begin(); incoming != receives_.end();) {
      if (incoming->all_matched && complete(incoming->requests)) {
        const Incoming received = std::move(*incoming);
        incoming = receives_.erase(incoming);
        hand_over(received, handler);
        any = true;
      } else {
        ++incoming;
      }
    }
    // Bounded, so that a flood of requests cannot keep the caller from its node.
    for (int i = 0; i < kMostPerPoll && receive_next(handler); ++i) any = true;
    return any;
  }

  bool has_message() {
    const std::unique_lock in_mpi(mpi_, std::try_to_lock);
    if (!in_mpi) return false;
    int found = 0;
    for (int attempt = 0; attempt < 2 && found == 0; ++attempt) {
      check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, tag_, communicator_, &found, MPI_STATUS_IGNORE),
                "MPI_Iprobe");
    }
    return found != 0;
  }

  [[nodiscard]] bool busy() const noexcept { return !sends_.empty() || !receives_.empty(); }

 private:
  static constexpr int kMostPerPoll = 64;

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

  static bool complete(std::vector<MPI_Request>& requests) {
    int done = 0;
    check_mpi(
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
        "MPI_Testall");
    return done != 0;
  }

  static void hand_over(const Incoming& incoming, const Handler& handler) {
    if (incoming.parts.size() == 1) return handler(incoming.peer, incoming.parts.front());
    Bytes whole;
    for (const Bytes& part : incoming.parts) whole.insert(whole.end(), part.begin(), part.end());
    handler(incoming.peer, whole);
  }

  // The message of which the next part from this peer is one.
  std::list<Incoming>::iterator message_from(int peer) {
    const auto unfinished = std::find_if(receives_.begin(), receives_.end(), [&](const auto& each) {
      return each.peer == peer && !each.all_matched;
    });
    if (unfinished != receives_.end()) return unfinished;
    receives_.emplace_back().peer = peer;
    return std::prev(receives_.end());
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
    const auto incoming = message_from(status.MPI_SOURCE);
    Bytes& part = incoming->parts.emplace_back(static_cast<std::size_t>(size));
    MPI_Request& request = incoming->requests.emplace_back(MPI_REQUEST_NULL);
    check_mpi(MPI_Imrecv(part.data(), size, MPI_BYTE, &message, &request), "MPI_Imrecv");
    incoming->all_matched = part.size() < part_bytes_;
    if (incoming->all_matched && complete(incoming->requests)) {
      const Incoming received = std::move(*incoming);
      receives_.erase(incoming);
      hand_over(received, handler);
    }
    return true;
  }

  std::recursive_mutex mpi_;  // handlers send
  MPI_Comm communicator_;
  int tag_;
  std::size_t part_bytes_;
  std::list<Outgoing> sends_;
  std::list<Incoming> receives_;
};

Mailbox::Mailbox(const void* communicator, int tag, std::size_t part_bytes)
    : impl_(std::make_unique<Impl>(*static_cast<const MPI_Comm*>(communicator), tag, part_bytes)) {}
Mailbox::~Mailbox() = default;

void Mailbox::send(int to, Bytes bytes) { impl_->send(to, std::move(bytes)); }
bool Mailbox::poll(const Handler& handler) { return impl_->poll(handler); }
bool Mailbox::has_message() { return impl_->has_message(); }
bool Mailbox::busy() const noexcept { return impl_->busy(); }

}  // namespace belay
