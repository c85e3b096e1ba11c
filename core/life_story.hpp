// LifeStory: how long threads were in each state, and how many tasks they did, over the time of a
// run; what the life stories of Saraswat et al., Lifeline-based Global Load Balancing, PPoPP 2011,
// figures 1 and 2, are drawn from.
//
// Time is divided into bins of one width, which doubles when the run outgrows them: a run of any
// length takes the same 6 KiB, and once it is longer than 2 ms, more than half of the bins are
// used. Travels as bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace belay {

// What a thread is doing.
enum class ThreadState : std::uint8_t {
  computing,  // in process(), on a bag taken back from the own deque too
  stealing,   // worker: looking for a chunk at home; communication thread: asking, taking loot in
  distributing,  // splitting work off for others; communication thread: giving loot
  probing,       // looking at the network
  idle,          // waiting in the barrier or for a message, and before and after the thread's life
};
// How many there are.
inline constexpr std::size_t kThreadStates = 5;

// Seconds, indexed by ThreadState.
using PerState = std::array<double, kThreadStates>;

// One thread per object. Times are in ns since the run's start on this rank, at least 0.
class LifeStory {
 public:
  // A state of one thread, or of several, from a time to a later one.
  void spend(ThreadState state, std::int64_t from_ns, std::int64_t to_ns,
             std::int64_t threads = 1) noexcept {
    if (to_ns <= from_ns) return;
    widen_for(to_ns - 1);
    for (std::int64_t from = from_ns; from < to_ns;) {
      const auto bin = static_cast<std::size_t>(from >> width_log_);
      const std::int64_t to = std::min(to_ns, static_cast<std::int64_t>(bin + 1) << width_log_);
      bins_[bin].ns[static_cast<std::size_t>(state)] += threads * (to - from);
      from = to;
    }
  }

  // Tasks that were done then.
  void count_tasks(std::int64_t at_ns, std::uint64_t tasks) noexcept {
    widen_for(at_ns);
    bins_[static_cast<std::size_t>(at_ns >> width_log_)].tasks += tasks;
  }

  // What other threads did, too.
  void add(LifeStory others) noexcept {
    while (width_log_ < others.width_log_) widen();
    while (others.width_log_ < width_log_) others.widen();
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      for (std::size_t state = 0; state < kThreadStates; ++state) {
        bins_[bin].ns[state] += others.bins_[bin].ns[state];
      }
      bins_[bin].tasks += others.bins_[bin].tasks;
    }
  }

  // Of a bin, in seconds.
  [[nodiscard]] double width() const noexcept { return seconds(std::int64_t{1} << width_log_); }
  // Up to the last bin in which something happened.
  [[nodiscard]] std::size_t bins() const noexcept {
    std::size_t used = kBins;
    while (used > 0 && bins_[used - 1] == Bin{}) --used;
    return used;
  }
  // Threads in a state, on average over a bin, the last one perhaps in part.
  [[nodiscard]] double threads(std::size_t bin, ThreadState state) const noexcept {
    return seconds(bins_[bin].ns[static_cast<std::size_t>(state)]) / width();
  }
  // Done in a bin.
  [[nodiscard]] std::uint64_t tasks(std::size_t bin) const noexcept { return bins_[bin].tasks; }
  // Over the whole run.
  [[nodiscard]] PerState total() const noexcept {
    PerState sum{};
    for (std::size_t state = 0; state < kThreadStates; ++state) {
      std::int64_t ns = 0;
      for (const Bin& bin : bins_) ns += bin.ns[state];
      sum[state] = seconds(ns);
    }
    return sum;
  }

  // The same in each bin of the same width.
  friend bool operator==(const LifeStory&, const LifeStory&) = default;

 private:
  static constexpr std::size_t kBins = 128;

  struct Bin {
    std::array<std::int64_t, kThreadStates> ns{};
    std::uint64_t tasks = 0;
    bool operator==(const Bin&) const = default;
  };

  static double seconds(std::int64_t ns) noexcept { return static_cast<double>(ns) * 1e-9; }

  void widen_for(std::int64_t time_ns) noexcept {
    while (static_cast<std::size_t>(time_ns >> width_log_) >= kBins) widen();
  }

  // Each two bins become one.
  void widen() noexcept {
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      Bin wide;
      for (std::size_t half = 2 * bin; half < std::min(2 * bin + 2, kBins); ++half) {
        for (std::size_t state = 0; state < kThreadStates; ++state) {
          wide.ns[state] += bins_[half].ns[state];
        }
        wide.tasks += bins_[half].tasks;
      }
      bins_[bin] = wide;
    }
    ++width_log_;
  }

  std::array<Bin, kBins> bins_{};
  std::int64_t width_log_ = 14;  // in ns: 16 us
};

}  // namespace belay
