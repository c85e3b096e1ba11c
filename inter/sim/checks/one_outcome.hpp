// OneOutcome: all nodes learn the same outcome, once; a failure is blamed on a rank that failed,
// a stop was requested by somebody. O(1) per event, but for mishaps.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "belay/core/errors.hpp"
#include "belay/inter/sim/observer.hpp"

namespace belay::sim {

class OneOutcome final : public Observer {
 public:
  void handle_mishap(Nanoseconds, int rank, RunOutcome outcome) override {
    mishaps_.emplace_back(outcome, rank);
  }
  void handle_decided(Nanoseconds now, int rank, RunOutcome outcome, int failed_rank) override {
    const Verdict verdict(outcome, outcome == RunOutcome::failed ? failed_rank : 0);
    if (!first_) {
      first_ = verdict;
      BELAY_CHECK(happened(verdict), static_cast<int>(outcome), failed_rank, rank, now);
    }
    BELAY_CHECK(verdict == *first_, static_cast<int>(outcome), failed_rank, rank, now);
  }

 private:
  using Verdict = std::pair<RunOutcome, int>;

  [[nodiscard]] bool happened(const Verdict& verdict) const {
    return verdict.first == RunOutcome::success ||
           std::any_of(mishaps_.begin(), mishaps_.end(), [&](const Verdict& mishap) {
             return mishap.first == verdict.first &&
                    (verdict.first == RunOutcome::stopped || mishap.second == verdict.second);
           });
  }

  std::vector<Verdict> mishaps_;
  std::optional<Verdict> first_;
};

}  // namespace belay::sim
