// ProgressReports: once a second each rank tells rank 0 how far it is, and rank 0 tells the
// program.
//
// The communication thread of each rank calls it while the run goes on; workers are not disturbed,
// only what they count is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "belay/core/progress.hpp"
#include "belay/inter/transport/mailbox.hpp"

namespace belay {

class ProgressReports {
 public:
  using Tell = std::function<void(const Progress&)>;

  static constexpr std::int64_t kIntervalNs = 1'000'000'000;
  // Rank 0 looks so much after the others spoke.
  static constexpr std::int64_t kPatienceNs = 100'000'000;

  // tell(progress): for rank 0. Nothing else goes through the mailbox. start_ns: of the run.
  ProgressReports(Mailbox& mailbox, int rank, int size, Tell tell, std::int64_t start_ns);

  // Is it time for the next report?
  [[nodiscard]] bool due(std::int64_t now_ns) const noexcept { return now_ns >= due_ns_; }

  // Takes this rank's; on rank 0 returns that of all.
  std::optional<Progress> report(std::int64_t now_ns, const Progress& mine);
  // Tells the program. Throws what it throws.
  void tell(const Progress& all) const { tell_(all); }

  // Collective, after the run: receives what is left.
  void finish();

 private:
  // Of another rank, and how many of them have sent their last message.
  void take(int from, std::span<const std::byte> bytes);

  Mailbox* mailbox_;
  int rank_;
  Tell tell_;
  std::int64_t start_ns_;
  std::int64_t due_ns_;
  std::vector<Progress> ranks_;  // on rank 0: as each last said
  std::size_t finished_ = 0;     // on rank 0: how many others
};

}  // namespace belay
