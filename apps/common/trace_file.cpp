#include "apps/common/trace_file.hpp"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "apps/common/message_id.hpp"
#include "apps/common/statistics_json.hpp"

namespace apps {

namespace {

using belay::TraceEvent;
using Kind = TraceEvent::Kind;

// A file of text that zlib writes, as it is or compressed.
class TextFile {
 public:
  explicit TextFile(const std::string& name) : name_(name) {
    const char* const mode = name.ends_with(".gz") ? "wb" : "wbT";  // T: as it is
    errno = 0;
    file_ = name == "-" ? gzdopen(dup(STDOUT_FILENO), mode) : gzopen(name.c_str(), mode);
    if (file_ == nullptr) fail();
    gzbuffer(file_, 1U << 20U);
  }
  ~TextFile() {
    if (file_ != nullptr) gzclose(file_);
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  void write(const std::string& text) {
    if (gzfwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
  }
  // As printf does.
  template <class... Values>
  void print(const char* format, Values... values) {
    if (gzprintf(file_, format, values...) <= 0) fail();
  }
  void close() {
    if (gzclose(std::exchange(file_, nullptr)) != Z_OK) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw std::runtime_error("--trace " + name_ +
                             ": cannot be written: " + std::generic_category().message(errno));
  }

  std::string name_;
  gzFile file_;
};

// An arrow's end.
struct Place {
  int rank = 0;
  std::size_t thread = 0;
  std::int64_t at_ns = 0;
};

class TraceWriter {
 public:
  TraceWriter(TextFile& file, const belay::Statistics& statistics)
      : file_(&file), statistics_(&statistics) {
    for (const auto& rank : statistics.ranks) {
      start_ns_ = std::min(start_ns_, rank.trace.by_clock_of_root(rank.trace.start_ns));
    }
  }

  void write() {
    for_each_event([this](const Place& place, const TraceEvent& event) { expect(place, event); });
    for (const auto& rank : statistics_->ranks) name(rank);
    for_each_event([this](const Place& place, const TraceEvent& event) { tell(place, event); });
  }

 private:
  template <class Call>
  void for_each_event(Call&& call) {
    for (const auto& rank : statistics_->ranks) {
      for (std::size_t thread = 0; thread < rank.trace.threads.size(); ++thread) {
        for (const TraceEvent& event : rank.trace.threads[thread].events) {
          const std::int64_t at_ns = rank.trace.by_clock_of_root(event.at_ns) - start_ns_;
          call(Place{rank.rank, thread, at_ns}, event);
        }
      }
    }
  }

  void expect(const Place& place, const TraceEvent& event) {
    if (is_received(event)) received_.emplace(message_id(place.rank, event), place);
  }

  void name(const belay::RankStatistics& rank) {
    const nlohmann::ordered_json process("rank " + std::to_string(rank.rank) + " (" + rank.host +
                                         ')');
    begin();
    file_->print(R"({"ph":"M","name":"process_name","pid":%d,"args":{"name":)", rank.rank);
    file_->write(process.dump() + "}}");
    for (std::size_t thread = 0; thread <= rank.workers.size(); ++thread) {
      const bool is_worker = thread < rank.workers.size();
      begin();
      file_->print(R"({"ph":"M","name":"thread_name","pid":%d,"tid":%zu,"args":{"name":"%s"}})",
                   rank.rank, thread,
                   is_worker ? ("worker " + std::to_string(thread)).c_str() : "communication");
    }
  }

  void tell(const Place& place, const TraceEvent& event) {
    switch (event.kind) {
      case Kind::state:
        begin();
        file_->print(
            R"({"ph":"X","name":"%s","cat":"state","pid":%d,"tid":%zu,"ts":%.3f,"dur":%.3f)",
            kThreadStateNames[event.detail], place.rank, place.thread, us(place.at_ns),
            us(event.length_ns));
        if (event.tasks > 0) file_->print(R"(,"args":{"tasks":%lu})", event.tasks);
        file_->write("}");
        return;
      case Kind::steal:
        arrow("steal", place, {place.rank, static_cast<std::size_t>(event.peer), place.at_ns},
              event.tasks);
        return;
      case Kind::request_sent:
      case Kind::loot_sent:
        if (const auto end = received_.find(message_id(place.rank, event));
            end != received_.end()) {
          arrow(event.kind == Kind::loot_sent ? "loot" : kRequestKindNames[event.detail], place,
                end->second, event.tasks);
        }
        return;
      case Kind::request_received:
      case Kind::loot_received:
        return;
    }
  }

  void arrow(const char* name, const Place& from, const Place& to, std::uint64_t tasks) {
    ++arrows_;
    begin();
    file_->print(R"({"ph":"s","name":"%s","cat":"steal","id":%lu,"pid":%d,"tid":%zu,"ts":%.3f)",
                 name, arrows_, from.rank, from.thread, us(from.at_ns));
    if (tasks > 0) file_->print(R"(,"args":{"tasks":%lu})", tasks);
    file_->write("}");
    begin();
    file_->print(
        R"({"ph":"f","bp":"e","name":"%s","cat":"steal","id":%lu,"pid":%d,"tid":%zu,"ts":%.3f})",
        name, arrows_, to.rank, to.thread, us(to.at_ns));
  }

  // Of the next event.
  void begin() {
    file_->write(first_ ? "\n" : ",\n");
    first_ = false;
  }

  static double us(std::int64_t ns) { return static_cast<double>(ns) / 1000; }

  TextFile* file_;
  const belay::Statistics* statistics_;
  std::int64_t start_ns_ = std::numeric_limits<std::int64_t>::max();
  std::map<MessageId, Place> received_;
  std::uint64_t arrows_ = 0;
  bool first_ = true;
};

}  // namespace

void write_trace(const std::string& file, const nlohmann::ordered_json& other_data,
                 const belay::Statistics& statistics) {
  nlohmann::ordered_json other = other_data;
  std::uint64_t dropped = 0;
  std::int64_t largest_error_ns = 0;
  std::int64_t next_error_ns = 0;
  for (const auto& rank : statistics.ranks) {
    for (const auto& thread : rank.trace.threads) dropped += thread.dropped;
    const std::int64_t error_ns = std::max(rank.trace.first.error_ns, rank.trace.last.error_ns);
    next_error_ns = std::max(next_error_ns, std::min(error_ns, largest_error_ns));
    largest_error_ns = std::max(largest_error_ns, error_ns);
  }
  other["dropped_events"] = dropped;
  other["clock_error_us"] = static_cast<double>(largest_error_ns + next_error_ns) / 1000;

  TextFile text(file);
  text.write(R"({"displayTimeUnit":"ns","otherData":)" + other.dump() + R"(,"traceEvents":[)");
  TraceWriter(text, statistics).write();
  text.write("\n]}\n");
  text.close();
}

}  // namespace apps
