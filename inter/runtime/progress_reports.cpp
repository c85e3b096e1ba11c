#include "belay/inter/runtime/progress_reports.hpp"

#include <algorithm>
#include <utility>

#include "belay/core/packing.hpp"
#include "belay/inter/transport/exchange.hpp"
#include "belay/intra/clock.hpp"

namespace belay {

ProgressReports::ProgressReports(Mailbox& mailbox, int rank, int size, Tell tell,
                                 std::int64_t start_ns)
    : mailbox_(&mailbox),
      rank_(rank),
      tell_(std::move(tell)),
      start_ns_(start_ns),
      due_ns_(start_ns + kIntervalNs + (rank == 0 ? kPatienceNs : 0)),
      ranks_(rank == 0 ? static_cast<std::size_t>(size) : 0) {}

std::optional<Progress> ProgressReports::report(std::int64_t now_ns, const Progress& mine) {
  // None is made up for if this thread comes late.
  due_ns_ = std::max(due_ns_ + kIntervalNs, now_ns);
  if (rank_ != 0) {
    Packer packer;
    packer.put(mine);
    mailbox_->send(0, packer.take());
    mailbox_->poll([](int, std::span<const std::byte>) {});  // for the sends' own progress
    return std::nullopt;
  }
  while (
      mailbox_->poll([this](int from, std::span<const std::byte> bytes) { take(from, bytes); })) {
  }
  ranks_.front() = mine;
  Progress all{.seconds = seconds_between(start_ns_, now_ns)};
  for (const Progress& one : ranks_) {
    all.tasks += one.tasks;
    all.busy += one.busy;
    all.workers += one.workers;
  }
  return all;
}

void ProgressReports::finish() {
  if (rank_ != 0) mailbox_->send(0, {});
  while (rank_ == 0 && finished_ + 1 < ranks_.size()) {
    for (const Letter& letter : receive(*mailbox_, 1)) take(letter.from, letter.bytes);
  }
  finish_sends(*mailbox_);
}

void ProgressReports::take(int from, std::span<const std::byte> bytes) {
  if (bytes.empty()) {  // its last
    ++finished_;
    return;
  }
  ranks_[static_cast<std::size_t>(from)] = Unpacker(bytes).get<Progress>();
}

}  // namespace belay
