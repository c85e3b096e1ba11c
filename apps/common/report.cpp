#include "apps/common/report.hpp"

#include <algorithm>
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

#include "apps/common/statistics_json.hpp"

namespace apps {

namespace {

using Json = nlohmann::ordered_json;

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
                     {"policy", name_of(kPolicyNames, p.policy)},
                     {"random_steals", p.random_steals},
                     {"lifelines", p.lifelines},
                     {"steal", named_zero(p.steal, "half")},
                     {"prefetch", name_of(kPrefetchNames, p.prefetch)},
                     {"prefetch_below", named_zero(p.prefetch_below, "auto")},
                     {"chunks_shown", p.chunks_shown},
                     {"seed", p.seed},
                     {"bind", p.bind ? "cores" : "none"}});
  return config;
}

// What there is to tell of a rank of a plain program.
Json tasks_of(const belay::RankStatistics& rank) {
  Json workers = Json::array();
  for (const auto& worker : rank.workers) workers.push_back(Json{{"tasks", worker.tasks}});
  return {{"rank", rank.rank}, {"host", rank.host}, {"workers", workers}};
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

nlohmann::ordered_json full_config(const Report& report) {
  Json config = report.config;
  config.update(run_config(report));
  return config;
}

nlohmann::ordered_json to_json(const Report& report) {
  Json ranks = Json::array();
  for (const auto& rank : report.statistics.ranks) {
    ranks.push_back(report.parameters ? to_json(rank) : tasks_of(rank));
  }
  Json all{{"program", report.program}, {"config", full_config(report)}, {"result", report.result}};
  if (report.check) all["verdict"] = verdict(*report.check);
  all.update(Json{{"seconds", report.statistics.seconds}, {"tasks", report.statistics.tasks()}});
  if (report.parameters) {
    all["seconds_after_last_task"] = report.statistics.seconds_after_last_task();
  }
  all["ranks"] = ranks;
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
  text << report.table;
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
