#include "apps/common/report.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace apps {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kKindNames{"random", "lifeline", "prefetch"};
static_assert(kKindNames.size() == belay::kRequestKinds);

// A parameter of which 0 means something that has a name.
template <class Number>
Json named_zero(Number value, const char* name) {
  return value == 0 ? Json(name) : Json(value);
}

Json run_config(const Report& report) {
  const auto& ranks = report.statistics.ranks;
  Json config;
  if (report.parameters) config["mpi_library"] = report.mpi_library;
  config["ranks"] = ranks.size();
  config["threads"] = ranks.empty() ? 0 : ranks.front().workers.size();
  if (!report.parameters) return config;
  const belay::Parameters& p = *report.parameters;
  config.update(Json{{"quantum", named_zero(p.quantum, "auto")},
                     {"policy", kPolicyNames[static_cast<std::size_t>(p.policy)].first},
                     {"random_steals", p.random_steals},
                     {"lifelines", p.lifelines},
                     {"steal", named_zero(p.steal, "half")},
                     {"prefetch", p.prefetch},
                     {"prefetch_below", named_zero(p.prefetch_below, "auto")},
                     {"chunks_shown", p.chunks_shown},
                     {"seed", p.seed},
                     {"bind", p.bind ? "cores" : "none"}});
  return config;
}

Json to_json(const belay::WorkerStatistics& worker) {
  return {{"tasks", worker.tasks},
          {"quanta", worker.quanta},
          {"chunks_published", worker.chunks_published},
          {"chunks_taken_back", worker.chunks_taken_back},
          {"steals", worker.chunks_stolen},
          {"steals_lost", worker.steals_lost},
          {"waits", worker.waits},
          {"sleeps", worker.sleeps}};
}

Json to_json(const belay::RequestStatistics& requests) {
  Json kinds;
  for (std::size_t kind = 0; kind < belay::kRequestKinds; ++kind) {
    kinds[kKindNames[kind]] = {{"requests", requests.requests[kind]},
                               {"loot", requests.loot[kind]},
                               {"private_work", requests.private_work[kind]},
                               {"no_work", requests.no_work[kind]}};
  }
  return kinds;
}

double microseconds(std::int64_t ns) { return static_cast<double>(ns) / 1000; }

Json to_json(const belay::RankStatistics& rank, bool plain) {
  Json workers = Json::array();
  for (const auto& worker : rank.workers) {
    workers.push_back(plain ? Json{{"tasks", worker.tasks}} : to_json(worker));
  }
  if (plain) return {{"rank", rank.rank}, {"host", rank.host}, {"workers", workers}};
  const belay::CommunicationStatistics& c = rank.communication;
  return {{"rank", rank.rank},
          {"host", rank.host},
          {"workers", workers},
          {"communication",
           {{"sent", to_json(c.sent)},
            {"received", to_json(c.received)},
            {"loot_sent", c.loot_sent},
            {"loot_received", c.loot_received},
            {"tasks_sent", c.tasks_sent},
            {"tasks_received", c.tasks_received},
            {"bytes_sent", c.bytes_sent},
            {"bytes_received", c.bytes_received},
            {"votes", c.votes},
            {"wakeups", c.wakeups},
            {"steal_time_us",
             {{"count", c.steal_times.count()},
              {"median", microseconds(c.steal_times.quantile(0.5))},
              {"p90", microseconds(c.steal_times.quantile(0.9))}}}}}};
}

// "b 4, d 10, shape fixed"; what has no value, or many, is left out.
std::string listed(const Json& object) {
  std::string text;
  for (const auto& [key, value] : object.items()) {
    if (value.is_null() || value.is_array()) continue;
    if (!text.empty()) text += ", ";
    text += key + ' ' + (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

std::string verdict(const Check& check) {
  return (check.right ? "right, " : "WRONG, not ") + check.source;
}

// What the rate counts, and how many there were.
std::pair<std::string, double> counted(const Report& report) {
  if (report.result.contains(report.counted)) {
    return {report.counted, report.result[report.counted].get<double>()};
  }
  return {"tasks", static_cast<double>(report.statistics.tasks())};
}

std::uint64_t steals(const belay::RankStatistics& rank) {
  return std::accumulate(rank.workers.begin(), rank.workers.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& w) { return sum + w.chunks_stolen; });
}

}  // namespace

Check compare(const Json& result, const Json& expected, std::string source) {
  bool right = true;
  for (const auto& [key, value] : expected.items()) {
    right = right && (value.is_null() || value == result.at(key));
  }
  return {right, std::move(source), listed(expected)};
}

int status_of(const Report& report) { return report.check && !report.check->right ? kFailed : 0; }

nlohmann::ordered_json to_json(const Report& report) {
  Json config = report.config;
  config.update(run_config(report));
  Json ranks = Json::array();
  for (const auto& rank : report.statistics.ranks)
    ranks.push_back(to_json(rank, !report.parameters));
  Json all{{"program", report.program}, {"config", config}, {"result", report.result}};
  if (report.check) all["verdict"] = verdict(*report.check);
  all.update(Json{{"seconds", report.statistics.seconds},
                  {"tasks", report.statistics.tasks()},
                  {"ranks", ranks}});
  if (!report.stopped_by.empty()) all["stopped"] = report.stopped_by;
  return all;
}

std::string to_text(const Report& report) {
  const belay::Statistics& statistics = report.statistics;
  const auto all_tasks = static_cast<double>(statistics.tasks());
  const auto [unit, count] = counted(report);
  std::ostringstream text;
  text << report.program << ": " << listed(report.config) << '\n'
       << "run: " << listed(run_config(report)) << '\n'
       << "result: "
       << (report.stopped_by.empty() ? listed(report.result)
                                     : "none, stopped by " + report.stopped_by)
       << (report.check ? ": " + verdict(*report.check) : "") << '\n'
       << report.details << std::fixed << std::setprecision(3) << "time: " << statistics.seconds
       << " s, " << std::setprecision(2) << count / statistics.seconds / 1e6 << " M" << unit
       << "/s\n";
  if (!report.parameters) return text.str();
  text << "rank workers          tasks   share  chunks stolen  loot received  host\n";
  for (const auto& rank : statistics.ranks) {
    const auto tasks = static_cast<double>(rank.tasks());
    text << std::setw(4) << rank.rank << std::setw(8) << rank.workers.size() << std::setw(15)
         << rank.tasks() << std::setprecision(1) << std::setw(7)
         << (all_tasks > 0 ? 100 * tasks / all_tasks : 0) << '%' << std::setw(15) << steals(rank)
         << std::setw(15) << rank.communication.loot_received << "  " << rank.host << '\n';
  }
  return text.str();
}

void publish(const Report& report, const ReportOptions& options) {
  const bool stdout_is_taken =
      options.json == "-" || std::any_of(options.outputs.begin(), options.outputs.end(),
                                         [](const auto& output) { return *output.second == "-"; });
  if (!options.quiet) (stdout_is_taken ? std::cerr : std::cout) << to_text(report) << std::flush;
  if (status_of(report) != 0) {
    std::cerr << report.program << ": wrong result: " << listed(report.result) << "; right is "
              << report.check->expected << ", " << report.check->source << std::endl;
  }
  write_output("--json", options.json,
               [&](std::ostream& out) { out << to_json(report).dump(2) << '\n'; });
  if (report.finally) report.finally();
}

}  // namespace apps
