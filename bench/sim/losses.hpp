// Losses: how many workers do what over the time of a simulation, and where their time goes.
//
// A worker's time is lost at the start until the first time at which nine of ten compute, in the
// tail from the last time on at which they do, and in the middle between the two; where they never
// do, all of it is the start's. What takes no time counts for nothing. What is lost while
// computing, since workers publish, steal at home or lend their core, no state tells.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "belay/core/life_story.hpp"
#include "belay/inter/sim/observer.hpp"

namespace bench {

// Watches one simulation.
class Losses final : public belay::sim::Observer {
 public:
  // workers: of all nodes together, which begin computing.
  explicit Losses(std::int64_t workers) : workers_(workers) {
    threads_[index(belay::sim::WorkerState::computing)] = workers;
  }

  void handle_state(belay::sim::Nanoseconds now, int /*rank*/, belay::sim::WorkerState from,
                    belay::sim::WorkerState to) override {
    pass(now);
    --threads_[index(from)];
    ++threads_[index(to)];
  }

  // The run is over.
  void end(belay::sim::Nanoseconds now) {
    pass(now);
    if (!began_) start_ = before_tail_ = lost_;
  }

  // Nanoseconds of workers that did not compute.
  [[nodiscard]] double start() const { return start_; }
  [[nodiscard]] double middle() const { return before_tail_ - start_; }
  [[nodiscard]] double tail() const { return lost_ - before_tail_; }

  // Of all workers; `stealing` look for work, `idle` wait for it.
  [[nodiscard]] const belay::LifeStory& story() const { return story_; }

 private:
  static std::size_t index(belay::sim::WorkerState state) {
    return static_cast<std::size_t>(state);
  }

  [[nodiscard]] bool is_busy() const {
    return 10 * threads_[index(belay::sim::WorkerState::computing)] >= 9 * workers_;
  }

  void pass(belay::sim::Nanoseconds now) {
    constexpr std::array kStates{belay::ThreadState::computing, belay::ThreadState::stealing,
                                 belay::ThreadState::idle};
    static_assert(kStates.size() == belay::sim::kWorkerStates);
    if (now == last_) return;
    const bool busy = is_busy();
    if (busy && !began_) {
      began_ = true;
      start_ = lost_;
    }
    for (std::size_t state = 0; state < kStates.size(); ++state) {
      if (threads_[state] > 0) story_.spend(kStates[state], last_, now, threads_[state]);
    }
    const auto idle = workers_ - threads_[index(belay::sim::WorkerState::computing)];
    lost_ += static_cast<double>(idle) * static_cast<double>(now - last_);
    if (busy) before_tail_ = lost_;
    last_ = now;
  }

  std::int64_t workers_;
  std::array<std::int64_t, belay::sim::kWorkerStates> threads_{};
  belay::sim::Nanoseconds last_ = 0;
  belay::LifeStory story_;
  bool began_ = false;
  double lost_ = 0;
  double start_ = 0;
  double before_tail_ = 0;
};

}  // namespace bench
