#include "bench/sim/run_costs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/common/message_id.hpp"
#include "belay/core/life_story.hpp"
#include "belay/core/statistics.hpp"
#include "belay/core/trace.hpp"
#include "belay/inter/runtime/run.hpp"
#include "bench/median.hpp"

namespace bench {

namespace {

using belay::ThreadState;
using belay::TraceEvent;

class Samples {
 public:
  explicit Samples(double latency_ns) : latency_ns_(static_cast<std::int64_t>(latency_ns)) {}

  void add(const belay::Statistics& run) {
    // Ranks of one host have one clock, and need none of the readings, which are not as exact.
    one_clock_ = run.ranks.front().host == run.ranks.back().host;
    for (const auto& rank : run.ranks) {
      add_spins(rank);
      add_looks(rank);
    }
    std::map<apps::MessageId, std::int64_t> sent;
    std::vector<Receipt> receipts;
    for (const auto& rank : run.ranks) {
      for (const TraceEvent& event : rank.trace.threads.back().events) {
        if (event.kind == TraceEvent::Kind::state) continue;
        const apps::MessageId message = apps::message_id(rank.rank, event);
        const std::int64_t at_ns = time(rank, event.at_ns);
        if (apps::is_received(event)) {
          receipts.push_back({message, &rank, at_ns});
        } else {
          sent.emplace(message, at_ns);
        }
      }
    }
    for (const Receipt& receipt : receipts) {
      const auto start = sent.find(receipt.message);
      if (start == sent.end()) continue;
      add_pick_up(*receipt.rank, start->second + latency_ns_, receipt.at_ns);
    }
  }

  [[nodiscard]] RunCosts medians() const {
    return {.pick_up_ns = median_of(busy_, "no message found a busy worker"),
            .idle_pick_up_ns = median_of(idle_, "no message found a rank that slept"),
            .spin_ns = median_of(spins_, "no worker ran out of work"),
            .held_up_share =
                std::min(1.0, static_cast<double>(held_up_.size()) / std::max(1.0, looks_)),
            .held_up_ns = held_up_.empty() ? 0 : median(held_up_)};
  }

 private:
  struct Receipt {
    apps::MessageId message;
    const belay::RankStatistics* rank;
    std::int64_t at_ns;
  };

  static double median_of(const std::vector<double>& samples, const std::string& otherwise) {
    if (samples.empty()) throw std::runtime_error(otherwise + ": more --rounds are needed");
    return median(samples);
  }

  [[nodiscard]] std::int64_t time(const belay::RankStatistics& rank, std::int64_t own_ns) const {
    return one_clock_ ? own_ns : rank.trace.by_clock_of_root(own_ns);
  }

  void add_spins(const belay::RankStatistics& rank) {
    for (std::size_t worker = 0; worker < rank.workers.size(); ++worker) {
      const TraceEvent* last = nullptr;
      for (const TraceEvent& event : rank.trace.threads[worker].events) {
        if (event.kind != TraceEvent::Kind::state) continue;
        if (last != nullptr && is(*last, ThreadState::stealing) && is(event, ThreadState::idle)) {
          spins_.push_back(static_cast<double>(last->length_ns));
        }
        last = &event;
      }
    }
  }

  void add_looks(const belay::RankStatistics& rank) {
    constexpr double kHeldUpNs = 100'000;  // a look takes some microseconds
    bool slept = false;
    for (const TraceEvent& event : rank.trace.threads.back().events) {
      if (event.kind != TraceEvent::Kind::state) continue;
      if (is(event, ThreadState::probing) &&
          workers_in(rank, time(rank, event.at_ns), ThreadState::computing) > 0) {
        const auto length_ns = static_cast<double>(event.length_ns);
        if (slept) looks_ += 1;
        if (length_ns > kHeldUpNs) held_up_.push_back(length_ns);
      }
      slept = is(event, ThreadState::idle);
    }
  }

  static bool is(const TraceEvent& event, ThreadState state) {
    return event.detail == static_cast<std::uint8_t>(state);
  }

  // A message that came when a worker was awake and had no tasks tells of neither.
  void add_pick_up(const belay::RankStatistics& rank, std::int64_t arrived_ns,
                   std::int64_t received_ns) {
    // What the clocks are wrong by, or a latency below the median, can make it less than nothing.
    const auto waited = static_cast<double>(std::max<std::int64_t>(0, received_ns - arrived_ns));
    const auto all = std::ssize(rank.workers);
    if (workers_in(rank, arrived_ns, ThreadState::computing) == all) busy_.push_back(waited);
    if (workers_in(rank, arrived_ns, ThreadState::idle) == all) idle_.push_back(waited);
  }

  [[nodiscard]] std::ptrdiff_t workers_in(const belay::RankStatistics& rank, std::int64_t at_ns,
                                          ThreadState state) const {
    return std::count_if(rank.trace.threads.begin(), std::prev(rank.trace.threads.end()),
                         [&](const auto& thread) { return is_in(rank, thread, at_ns, state); });
  }

  [[nodiscard]] bool is_in(const belay::RankStatistics& rank, const belay::ThreadTrace& thread,
                           std::int64_t at_ns, ThreadState state) const {
    return std::ranges::any_of(thread.events, [&](const TraceEvent& event) {
      const std::int64_t begin_ns = time(rank, event.at_ns);
      return event.kind == TraceEvent::Kind::state && is(event, state) && begin_ns <= at_ns &&
             at_ns < begin_ns + event.length_ns;
    });
  }

  std::int64_t latency_ns_;
  bool one_clock_ = false;
  std::vector<double> busy_;
  std::vector<double> idle_;
  std::vector<double> spins_;
  std::vector<double> held_up_;
  double looks_ = 0;
};

}  // namespace

RunCosts run_costs(belay::Session& session, const apps::UtsProblem& problem,
                   belay::Parameters parameters, int runs, double latency_ns) {
  parameters.trace_events = 100'000;
  Samples samples(latency_ns);
  for (int i = 0; i < runs; ++i) {
    const auto run = belay::run_with_statistics(session, problem,
                                                belay::at_root(problem.root_bag()), parameters);
    if (session.rank() == 0) samples.add(run.statistics);
  }
  return session.rank() == 0 ? samples.medians() : RunCosts{};
}

}  // namespace bench
