#include "apps/report/page.hpp"

#include <algorithm>
#include <iomanip>
#include <numeric>
#include <sstream>

#include "apps/common/statistics_json.hpp"
#include "apps/report/figure_data.hpp"
#include "apps/report/quantity.hpp"
#include "apps/report/script.hpp"

namespace apps {

namespace {

constexpr const char* kStyle = R"(
body { font: 16px/1.45 sans-serif; color: #222; background: #fff; max-width: 900px; margin: 2em auto; padding: 0 1em; }
h1 { margin-bottom: 0; }
h2 { margin: 1.6em 0 0; }
table { border-collapse: collapse; margin: 1em 0; }
th { font-weight: normal; color: #555; text-align: left; padding: 0.1em 1.5em 0.1em 0; }
td { padding: 0.1em 0; }
i { display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.5em; }
p.config { color: #555; margin-top: 0.3em; overflow-wrap: anywhere; }
p.remark { border-left: 4px solid #D55E00; padding-left: 0.6em; }
figure { margin: 0; break-inside: avoid; }
svg { width: 100%; height: auto; }
)";

std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

// "tree T1, threads 2"; what has members of its own is left out.
std::string config_line(const nlohmann::ordered_json& config) {
  std::string line;
  if (!config.is_object()) return line;
  for (const auto& [key, value] : config.items()) {
    if (value.is_structured() || value.is_null()) continue;
    if (!line.empty()) line += ", ";
    line += key + ' ' + (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return line;
}

// "n1, n2 and 6 more"
std::string hosts_of(const RunData& run) {
  constexpr std::size_t kMostNamed = 8;
  std::vector<std::string> hosts;
  for (const RankData& rank : run.ranks) {
    if (!rank.host.empty() && std::ranges::find(hosts, rank.host) == hosts.end()) {
      hosts.push_back(rank.host);
    }
  }
  std::string line;
  for (std::size_t i = 0; i < std::min(hosts.size(), kMostNamed); ++i) {
    line += (i > 0 ? ", " : "") + hosts[i];
  }
  if (hosts.size() > kMostNamed) {
    line += " and " + std::to_string(hosts.size() - kMostNamed) + " more";
  }
  return line;
}

// `html` is not escaped.
std::string row(const std::string& name, const std::string& html) {
  return html.empty() ? "" : "<tr><th>" + name + "</th><td>" + html + "</td></tr>\n";
}

std::string percent(double share) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << 100 * share << " %";
  return text.str();
}

std::string state_rows(const RunData& run, std::size_t workers) {
  const belay::PerState seconds = seconds_in_states(run);
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  if (sum <= 0) return {};
  std::string rows;
  for (std::size_t state = 0; state < belay::kThreadStates; ++state) {
    rows += row(std::string("<i style=\"background:") + kStateColours[state] + "\"></i>" +
                    kThreadStateNames[state],
                percent(seconds[state] / sum));
  }
  if (run.seconds > 0) {
    rows += row("efficiency",
                percent(seconds[0] / (run.seconds * static_cast<double>(workers))) +
                    ": computing, of the workers' time from the run's start to its result");
  }
  return rows;
}

std::string summary(const RunData& run) {
  const std::vector<const ThreadData*> workers = workers_of(run);
  const double tasks =
      std::accumulate(workers.begin(), workers.end(), 0.0,
                      [](double sum, const ThreadData* worker) { return sum + worker->tasks; });
  std::ostringstream count;
  count << std::fixed << std::setprecision(0) << tasks;
  const std::string ranks = std::to_string(run.ranks.size());
  return "<table>\n" + row("ranks", ranks) + row("workers", std::to_string(workers.size())) +
         row("hosts", escaped(hosts_of(run))) +
         row("time", run.seconds > 0 ? shown(run.seconds, "s") : "") + row("tasks", count.str()) +
         row("rate", run.seconds > 0 ? shown(tasks / run.seconds, "tasks/s") : "") +
         state_rows(run, workers.size()) + "</table>\n";
}

}  // namespace

std::string page_of(const RunData& run, const std::vector<Figure>& figures,
                    const std::vector<std::string>& svgs) {
  const std::string program = escaped(run.program.empty() ? "A run" : run.program);
  std::ostringstream page;
  page << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
       << "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" << program
       << "</title>\n<style>" << kStyle << "</style>\n</head>\n<body>\n<h1>" << program
       << "</h1>\n<p class=\"config\">" << escaped(config_line(run.config)) << "</p>\n";
  for (const std::string& remark : run.remarks) {
    page << "<p class=\"remark\">" << escaped(remark) << "</p>\n";
  }
  page << summary(run);
  std::string missing;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const Figure& figure = figures[i];
    if (figure.script.empty()) {
      missing += (missing.empty() ? "" : ", ") + figure.title;
      continue;
    }
    page << "<h2 id=\"" << figure.name << "\">" << figure.title << "</h2>\n<p>" << figure.about
         << "</p>\n<figure>\n"
         << svgs[i].substr(svgs[i].find("<svg")) << "</figure>\n";
  }
  if (!missing.empty()) page << "<p>Nothing in the file for: " << missing << ".</p>\n";
  page << "</body>\n</html>\n";
  return page.str();
}

}  // namespace apps
