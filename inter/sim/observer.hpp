// Observer: is told what happens in a simulation, when it happens. Checks and the event log are
// observers; a simulation runs the same without any.
//
// An observer that finds something wrong throws, which ends the simulation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "belay/inter/protocol/message.hpp"
#include "belay/inter/sim/envelope.hpp"
#include "belay/inter/sim/event_queue.hpp"

namespace belay::sim {

// What a worker does; `stealing`: it found nothing and looks again, `waiting`: it sleeps.
enum class WorkerState : std::uint8_t { computing, stealing, waiting };
inline constexpr std::size_t kWorkerStates = 3;

class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  // The first argument is always the time.

  // A rank begins with this work, on its communication thread's deque.
  virtual void handle_initial_work(Nanoseconds, int /*rank*/, ChunkId, std::uint64_t /*tasks*/) {}

  // A worker split a chunk off its private bag; a worker took one into its private bag.
  virtual void handle_published(Nanoseconds, int /*rank*/, ChunkId) {}
  virtual void handle_held(Nanoseconds, int /*rank*/, ChunkId) {}
  // A worker did `done` tasks, which added `spawned` new ones to its bag; none: what it is going to
  // do adds them.
  virtual void handle_worked(Nanoseconds, int /*rank*/, std::uint64_t /*done*/,
                             std::uint64_t /*spawned*/) {}

  // A worker goes from one state to another; it begins computing.
  virtual void handle_state(Nanoseconds, int /*rank*/, WorkerState /*from*/, WorkerState /*to*/) {}

  // User code throws, or a stop is requested.
  virtual void handle_mishap(Nanoseconds, int /*rank*/, RunOutcome) {}

  // A message: leaves, as its engine wants it; waits at its receiver; is in its engine's hands.
  virtual void handle_sent(Nanoseconds, const Envelope&) {}
  virtual void handle_arrived(Nanoseconds, const Envelope&) {}
  virtual void handle_received(Nanoseconds, const Envelope&) {}
  // The loot just received was thrown away, since the outcome is decided.
  virtual void handle_discarded(Nanoseconds, int /*rank*/, std::uint64_t /*tasks*/) {}

  // A communication thread looks around.
  virtual void handle_look(Nanoseconds, int /*rank*/) {}

  // An engine knows the outcome; failed_rank: meaningful after a failure. It is done.
  virtual void handle_decided(Nanoseconds, int /*rank*/, RunOutcome, int /*failed_rank*/) {}
  virtual void handle_done(Nanoseconds, int /*rank*/) {}
  // All nodes are done.
  virtual void handle_end(Nanoseconds) {}
};

}  // namespace belay::sim
