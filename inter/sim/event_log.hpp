// EventLog: what happened in a simulation, as lines of text; the same seed gives the same bytes.
// A line is written when something happened at a node: when (ns), at which rank, what. Of a
// message it says when it was sent.
//
//        412   1    0 -> 1  loot, random, 2 chunks, 17 tasks (sent 305)
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>

#include "belay/inter/sim/observer.hpp"

namespace belay::sim {

class EventLog final : public Observer {
 public:
  // Which messages are logged; all by default.
  using Filter = std::function<bool(const Envelope&)>;

  // Logs messages as they are received, mishaps, and when nodes know the outcome and are done.
  // workers: also what workers do, and when messages are sent.
  EventLog(std::ostream& out, bool workers, Filter filter = nullptr);

  void handle_initial_work(Nanoseconds now, int rank, ChunkId chunk, std::uint64_t tasks) override;
  void handle_published(Nanoseconds now, int rank, ChunkId chunk) override;
  void handle_held(Nanoseconds now, int rank, ChunkId chunk) override;
  void handle_worked(Nanoseconds now, int rank, std::uint64_t done, std::uint64_t spawned) override;
  void handle_mishap(Nanoseconds now, int rank, RunOutcome outcome) override;
  void handle_sent(Nanoseconds now, const Envelope& envelope) override;
  void handle_received(Nanoseconds now, const Envelope& envelope) override;
  void handle_decided(Nanoseconds now, int rank, RunOutcome outcome, int failed_rank) override;
  void handle_done(Nanoseconds now, int rank) override;

 private:
  std::ostream& begin_line(Nanoseconds now, int rank);

  std::ostream* out_;
  bool workers_;
  Filter filter_;
};

// One message in words, as in the log.
std::ostream& operator<<(std::ostream& out, const Envelope& envelope);

}  // namespace belay::sim
