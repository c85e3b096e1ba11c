// Rounds: how often a stress test does it again.
//
// As often as it says, but on a busy machine, where each hand-over between threads waits for a
// core, only for some seconds. Nothing is ever expected of the time.
#pragma once

#include <chrono>

namespace belay::test {

class Rounds {
 public:
  static constexpr std::chrono::seconds kLimit{3};

  explicit Rounds(int most) : most_(most) {}

  // Shall there be another round? Its number is then index().
  [[nodiscard]] bool next() {
    if (++index_ >= most_) return false;
    // The clock is read now and then, since it takes as long as a short round.
    return index_ % 16 != 0 || Clock::now() - start_ < kLimit;
  }

  // From 0 on; after the last round, how many there were.
  [[nodiscard]] int index() const { return index_; }

 private:
  using Clock = std::chrono::steady_clock;

  const int most_;
  const Clock::time_point start_ = Clock::now();
  int index_ = -1;
};

}  // namespace belay::test
