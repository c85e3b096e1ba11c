// EveryTaskOnce: by the identities of the tasks that were done. No observer: what a task is
// called, the problem alone knows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "belay/core/errors.hpp"
#include "belay/inter/protocol/message.hpp"

namespace belay::sim {

class EveryTaskOnce {
 public:
  // expected: the tasks of a run on one's own, each once, in any order.
  explicit EveryTaskOnce(std::vector<std::uint64_t> expected) : expected_(std::move(expected)) {
    std::sort(expected_.begin(), expected_.end());
  }

  // done: the tasks of a run, in any order. After a success all of them, each once; otherwise
  // some of them, each at most once.
  void check(RunOutcome outcome, std::vector<std::uint64_t> done) const {
    std::sort(done.begin(), done.end());
    const auto twice = std::adjacent_find(done.begin(), done.end());
    BELAY_CHECK(twice == done.end(), done.size(), expected_.size());
    const bool known = std::includes(expected_.begin(), expected_.end(), done.begin(), done.end());
    BELAY_CHECK(known, done.size(), expected_.size());
    BELAY_CHECK(outcome != RunOutcome::success || done.size() == expected_.size(), done.size(),
                expected_.size());
  }

  [[nodiscard]] std::size_t tasks() const noexcept { return expected_.size(); }

 private:
  std::vector<std::uint64_t> expected_;
};

}  // namespace belay::sim
