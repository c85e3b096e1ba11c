#include "belay/inter/mpi/mpi_mailbox.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "belay/inter/mpi/errors.hpp"

namespace belay {

namespace {

// Bounded, so that a flood of requests cannot keep the caller from its node.
constexpr int kMostPerPoll = 64;

bool complete(std::vector<MPI_Request>& requests) {
  int done = 0;
  check_mpi(
      MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
      "MPI_Testall");
  return done != 0;
}

// Calls probe(&found) until it finds something, but no more than twice: both MPIs report a
// message one call late, which doubled the time to pick it up.
template <class Probe>
bool probe_twice(Probe&& probe) {
  int found = 0;
  for (int attempt = 0; attempt < 2 && found == 0; ++attempt) probe(&found);
  return found != 0;
}

void hand_over(int peer, const std::vector<Mailbox::Bytes>& parts,
               const Mailbox::Handler& handler) {
  if (parts.size() == 1) return handler(peer, parts.front());
  Mailbox::Bytes whole;
  for (const auto& part : parts) whole.insert(whole.end(), part.begin(), part.end());
  handler(peer, whole);
}

}  // namespace

void MpiMailbox::send(int to, Bytes bytes) {
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

bool MpiMailbox::poll(const Handler& handler) {
  const std::lock_guard in_mpi(mpi_);
  bool any = false;
  sends_.remove_if([](Outgoing& outgoing) { return complete(outgoing.requests); });
  for (auto incoming = receives_.begin(); incoming != receives_.end();) {
    if (incoming->all_matched && complete(incoming->requests)) {
      const Incoming received = std::move(*incoming);
      incoming = receives_.erase(incoming);
      hand_over(received.peer, received.parts, handler);
      any = true;
    } else {
      ++incoming;
    }
  }
  for (int i = 0; i < kMostPerPoll && receive_next(handler); ++i) any = true;
  return any;
}

bool MpiMailbox::has_message() {
  const std::unique_lock in_mpi(mpi_, std::try_to_lock);
  if (!in_mpi) return false;
  return probe_twice([this](int* found) {
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, tag_, communicator_, found, MPI_STATUS_IGNORE),
              "MPI_Iprobe");
  });
}

std::list<MpiMailbox::Incoming>::iterator MpiMailbox::message_from(int peer) {
  const auto unfinished = std::find_if(receives_.begin(), receives_.end(), [&](const auto& each) {
    return each.peer == peer && !each.all_matched;
  });
  if (unfinished != receives_.end()) return unfinished;
  receives_.emplace_back().peer = peer;
  return std::prev(receives_.end());
}

bool MpiMailbox::receive_next(const Handler& handler) {
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  const bool found = probe_twice([&](int* flag) {
    check_mpi(MPI_Improbe(MPI_ANY_SOURCE, tag_, communicator_, flag, &message, &status),
              "MPI_Improbe");
  });
  if (!found) return false;
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
    hand_over(received.peer, received.parts, handler);
  }
  return true;
}

}  // namespace belay
