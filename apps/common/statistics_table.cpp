#include "apps/common/statistics_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iomanip>
#include <numeric>
#include <sstream>
#include <vector>

#include "apps/common/statistics_json.hpp"

namespace apps {

namespace {

using belay::RankStatistics;
using belay::RequestStatistics;
using belay::WorkerStatistics;

// Rows of one section, each about one value of every member, a worker or a rank.
template <class Member>
class Section {
 public:
  Section(std::ostream& out, const std::string& title, std::vector<Member> members)
      : out_(&out), members_(std::move(members)) {
    *out_ << std::left << std::setw(kName) << title << std::right;
    for (const char* column : {"total", "mean", "deviation", "min", "max"}) {
      *out_ << std::setw(kColumn) << column;
    }
    *out_ << '\n';
  }

  // value(member): a count, told in whole numbers, or seconds.
  template <class Value>
  void row(const std::string& name, Value&& value) {
    using Number = std::invoke_result_t<Value, const Member&>;
    constexpr bool kWhole = std::is_integral_v<std::remove_cvref_t<Number>>;
    std::vector<double> values;
    values.reserve(members_.size());
    for (const Member& member : members_) values.push_back(static_cast<double>(value(member)));
    const auto count = static_cast<double>(values.size());
    const double total = std::accumulate(values.begin(), values.end(), 0.0);
    const double mean = total / count;
    const double squares = std::accumulate(
        values.begin(), values.end(), 0.0,
        [mean](double sum, double one) { return sum + (one - mean) * (one - mean); });
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    *out_ << std::left << std::setw(kName) << "  " + name << std::right;
    tell(total, kWhole ? 0 : 6);
    tell(mean, kWhole ? 1 : 6);
    tell(std::sqrt(squares / count), kWhole ? 1 : 6);
    tell(*least, kWhole ? 0 : 6);
    tell(*most, kWhole ? 0 : 6);
    *out_ << '\n';
  }

  // seconds(member): in each state.
  template <class Seconds>
  void states(Seconds&& seconds) {
    for (std::size_t state = 0; state < belay::kThreadStates; ++state) {
      row(std::string("s ") + kThreadStateNames[state],
          [&](const Member& member) { return seconds(member)[state]; });
    }
  }

 private:
  static constexpr int kName = 20;
  static constexpr int kColumn = 12;

  void tell(double value, int digits) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    // One column stays free.
    if (text.str().size() >= kColumn) {
      text.str("");
      text << std::scientific << std::setprecision(4) << value;
    }
    *out_ << std::setw(kColumn) << text.str();
  }

  std::ostream* out_;
  std::vector<Member> members_;
};

void tell_workers(std::ostream& out, const belay::Statistics& statistics) {
  std::vector<const WorkerStatistics*> workers;
  for (const auto& rank : statistics.ranks) {
    for (const auto& worker : rank.workers) workers.push_back(&worker);
  }
  using Worker = const WorkerStatistics*;
  Section<Worker> section(out, "workers", std::move(workers));
  section.states([](Worker w) -> const belay::PerState& { return w->seconds; });
  section.row("tasks", std::mem_fn(&WorkerStatistics::tasks));
  section.row("quanta", std::mem_fn(&WorkerStatistics::quanta));
  section.row("chunks published", std::mem_fn(&WorkerStatistics::chunks_published));
  section.row("chunks taken back", std::mem_fn(&WorkerStatistics::chunks_taken_back));
  section.row("chunks stolen", std::mem_fn(&WorkerStatistics::chunks_stolen));
  section.row("steals lost", std::mem_fn(&WorkerStatistics::steals_lost));
  section.row("waits", std::mem_fn(&WorkerStatistics::waits));
  section.row("sleeps", std::mem_fn(&WorkerStatistics::sleeps));
}

using Rank = const RankStatistics*;
using Requests = const RequestStatistics& (*)(Rank);

void tell_requests(Section<Rank>& section, const std::string& way, Requests requests) {
  for (std::size_t kind = 0; kind < belay::kRequestKinds; ++kind) {
    const auto row = [&](const std::string& name, const belay::PerKind RequestStatistics::*what) {
      section.row(name, [&](Rank rank) { return (requests(rank).*what)[kind]; });
    };
    row(way + ' ' + kRequestKindNames[kind], &RequestStatistics::requests);
    row("  loot", &RequestStatistics::loot);
    row("  private work", &RequestStatistics::private_work);
    row("  no work", &RequestStatistics::no_work);
  }
}

void tell_ranks(std::ostream& out, const belay::Statistics& statistics) {
  std::vector<Rank> ranks;
  for (const auto& rank : statistics.ranks) ranks.push_back(&rank);
  Section<Rank> section(out, "communication", std::move(ranks));
  section.states([](Rank r) -> const belay::PerState& { return r->communication.seconds; });
  tell_requests(section, "sent",
                [](Rank r) -> const RequestStatistics& { return r->communication.sent; });
  tell_requests(section, "received",
                [](Rank r) -> const RequestStatistics& { return r->communication.received; });
  section.row("loot sent", [](Rank r) { return r->communication.loot_sent; });
  section.row("  tasks", [](Rank r) { return r->communication.tasks_sent; });
  section.row("  bytes", [](Rank r) { return r->communication.bytes_sent; });
  section.row("loot received", [](Rank r) { return r->communication.loot_received; });
  section.row("  tasks", [](Rank r) { return r->communication.tasks_received; });
  section.row("  bytes", [](Rank r) { return r->communication.bytes_received; });
  section.row("wake-ups", [](Rank r) { return r->communication.wakeups; });
  section.row("votes", [](Rank r) { return r->communication.votes; });
}

void tell_times(std::ostream& out, const std::string& name, const belay::Durations& times) {
  out << name << ": ";
  if (times.count() == 0) {
    out << "none\n";
    return;
  }
  out << times.count() << ", median " << static_cast<double>(times.quantile(0.5)) / 1000
      << " us, 90 % within " << static_cast<double>(times.quantile(0.9)) / 1000 << " us\n";
}

}  // namespace

std::string statistics_table(const belay::Statistics& statistics) {
  std::ostringstream out;
  tell_workers(out, statistics);
  tell_ranks(out, statistics);
  belay::Durations searches;
  belay::Durations steals;
  belay::PerKind asked{};
  belay::PerKind given{};
  for (const auto& rank : statistics.ranks) {
    for (const auto& worker : rank.workers) searches.add(worker.searches);
    steals.add(rank.communication.steal_times);
    for (std::size_t kind = 0; kind < belay::kRequestKinds; ++kind) {
      asked[kind] += rank.communication.sent.requests[kind];
      given[kind] += rank.communication.sent.loot[kind];
    }
  }
  out << std::setprecision(3);
  tell_times(out, "searches for work at home", searches);
  tell_times(out, "steals from other ranks", steals);
  constexpr auto kPrefetch = static_cast<std::size_t>(belay::RequestKind::prefetch);
  out << "prefetches that succeeded: " << given[kPrefetch] << " of " << asked[kPrefetch] << '\n'
      << "from the last task to the end: " << statistics.seconds_after_last_task() * 1e6 << " us\n";
  return out.str();
}

}  // namespace apps
