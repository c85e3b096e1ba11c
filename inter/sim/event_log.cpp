#include "belay/inter/sim/event_log.hpp"

#include <array>
#include <cstddef>
#include <iomanip>
#include <utility>

namespace belay::sim {

namespace {

constexpr std::array kRequests = {"random", "lifeline", "prefetch"};
constexpr std::array kOutcomes = {"success", "stopped", "failed"};
constexpr std::array kPhases = {"working", "draining", "leaving"};

template <class Enum>
const char* name_of(const std::array<const char*, 3>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

std::ostream& verdict(std::ostream& out, RunOutcome outcome, int failed_rank) {
  out << name_of(kOutcomes, outcome);
  if (outcome == RunOutcome::failed) out << " on rank " << failed_rank;
  return out;
}

// "1 task", "2 tasks".
std::ostream& counted(std::ostream& out, std::uint64_t count, const char* what) {
  return out << count << ' ' << what << (count == 1 ? "" : "s");
}

void write_ask(std::ostream& out, const Message& message) {
  out << "ask, round " << message.round << ", " << name_of(kPhases, message.phase);
  if (message.phase != Phase::working) verdict(out << ", ", message.outcome, message.rank);
  out << ", edge count " << message.edge_count;
}

void write_vote(std::ostream& out, const Message& message) {
  out << "vote, round " << message.round << ", " << name_of(kPhases, message.phase)
      << ", loot sent " << message.sent << ", received " << message.received << ", edge count "
      << message.edge_count;
}

void write_loot(std::ostream& out, const Envelope& envelope) {
  out << (envelope.message.late ? "late loot, " : "loot, ")
      << name_of(kRequests, envelope.message.request) << ", ";
  counted(out, envelope.chunks.size(), "chunk") << ", ";
  counted(out, envelope.tasks, "task");
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Envelope& envelope) {
  const Message& message = envelope.message;
  out << envelope.from << " -> " << envelope.to << "  ";
  switch (message.kind) {
    case MessageKind::request:
      out << "request, " << name_of(kRequests, message.request);
      if (message.request == RequestKind::prefetch) counted(out << ", has ", message.tasks, "task");
      return out;
    case MessageKind::refusal:
      return out << "refusal, " << name_of(kRequests, message.request)
                 << (message.has_private_work ? ", private work" : ", no work");
    case MessageKind::loot:
      write_loot(out, envelope);
      return out;
    case MessageKind::ask:
      write_ask(out, message);
      return out;
    case MessageKind::vote:
      write_vote(out, message);
      return out;
    case MessageKind::report:
      return verdict(out << "report, ", message.outcome, message.rank);
  }
  return out << "message of unknown kind";
}

EventLog::EventLog(std::ostream& out, bool workers, Filter filter)
    : out_(&out), workers_(workers), filter_(std::move(filter)) {}

std::ostream& EventLog::begin_line(Nanoseconds now, int rank) {
  return *out_ << std::setw(10) << now << std::setw(5) << rank << "  ";
}

void EventLog::handle_initial_work(Nanoseconds now, int rank, ChunkId chunk, std::uint64_t tasks) {
  counted(begin_line(now, rank) << "begins with ", tasks, "task");
  *out_ << ", chunk " << chunk << '\n';
}

void EventLog::handle_published(Nanoseconds now, int rank, ChunkId chunk) {
  if (workers_) begin_line(now, rank) << "publishes chunk " << chunk << '\n';
}

void EventLog::handle_held(Nanoseconds now, int rank, ChunkId chunk) {
  if (workers_) begin_line(now, rank) << "holds chunk " << chunk << '\n';
}

void EventLog::handle_worked(Nanoseconds now, int rank, std::uint64_t done, std::uint64_t spawned) {
  if (!workers_) return;
  counted(begin_line(now, rank) << "does ", done, "task") << ", " << spawned << " new\n";
}

void EventLog::handle_mishap(Nanoseconds now, int rank, RunOutcome outcome) {
  begin_line(now, rank) << (outcome == RunOutcome::failed ? "fails\n" : "is asked to stop\n");
}

void EventLog::handle_sent(Nanoseconds now, const Envelope& envelope) {
  if (!workers_ || (filter_ && !filter_(envelope))) return;
  begin_line(now, envelope.from) << "sends " << envelope << '\n';
}

void EventLog::handle_received(Nanoseconds now, const Envelope& envelope) {
  if (filter_ && !filter_(envelope)) return;
  begin_line(now, envelope.to) << envelope << " (sent " << envelope.sent << ")\n";
}

void EventLog::handle_decided(Nanoseconds now, int rank, RunOutcome outcome, int failed_rank) {
  verdict(begin_line(now, rank) << "knows the outcome: ", outcome, failed_rank) << '\n';
}

void EventLog::handle_done(Nanoseconds now, int rank) { begin_line(now, rank) << "is done\n"; }

}  // namespace belay::sim
