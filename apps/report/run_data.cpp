#include "apps/report/run_data.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>

#include "apps/common/printable.hpp"
#include "apps/common/statistics_json.hpp"
#include "apps/report/json_values.hpp"
#include "apps/report/trace_reader.hpp"

namespace apps {

namespace {

std::vector<double> amounts(const Json& object, const char* key) {
  const Json& values = array(object, key);
  std::vector<double> numbers(values.size());
  std::ranges::transform(values, numbers.begin(),
                         [&](const Json& value) { return amount(value, key); });
  return numbers;
}

ThreadData read_thread(const Json& thread) {
  ThreadData data{.tasks = amount_of(thread, "tasks"),
                  .stolen_from = amounts(thread, "tasks_stolen_from")};
  for (std::size_t state = 0; state < belay::kThreadStates; ++state) {
    data.seconds[state] = amount_of(member(thread, "states"), kThreadStateNames[state]);
  }
  return data;
}

void read_histogram(const Json& durations, Histogram& histogram) {
  constexpr double kNsPerUs = 1000;
  constexpr double kMostUs = 1e15;
  for (const Json& bucket : array(durations, "buckets")) {
    if (!bucket.is_array() || bucket.size() != 2 || amount(bucket[0], "buckets") > kMostUs) {
      throw std::invalid_argument("\"buckets\" must be pairs of microseconds and counts");
    }
    const auto edge_ns =
        static_cast<std::uint64_t>(std::llround(amount(bucket[0], "buckets") * kNsPerUs));
    histogram[std::max(edge_ns, kShortestNs)] += amount(bucket[1], "buckets");
  }
}

void read_life_story(const Json& story, LifeStory& into) {
  if (story.is_null()) return;
  const double width = amount_of(story, "bin_seconds");
  if (width <= 0) throw std::invalid_argument("\"bin_seconds\" must be a number above 0");
  const auto add = [&](const char* key, const auto& to_amount) {
    double begin = 0;
    for (const double value : amounts(story, key)) {
      into.add(begin, begin + width, to_amount(value));
      begin += width;
    }
  };
  for (std::size_t state = 0; state < belay::kThreadStates; ++state) {
    add(kThreadStateNames[state], [&](double workers) {
      LifeStory::Bin bin;
      bin.seconds[state] = workers * width;
      return bin;
    });
  }
  add("tasks", [](double tasks) { return LifeStory::Bin{.tasks = tasks}; });
}

RankData read_rank(const Json& rank, std::size_t ranks) {
  RankData data{.host = text(rank, "host")};
  const Json& workers = array(rank, "workers");
  data.workers.reserve(workers.size());
  for (const Json& worker : workers) data.workers.push_back(read_thread(worker));
  const Json& communication = member(rank, "communication");
  data.communication = read_thread(communication);
  for (const Json& loot : array(communication, "loot_from")) {
    data.loot_from.resize(ranks);
    data.loot_from[index_of(loot, "rank", ranks)] += amount_of(loot, "tasks");
  }
  return data;
}

RunData read_report(const Json& report) {
  RunData run{.program = text(report, "program"),
              .config = member(report, "config"),
              .seconds = amount_of(report, "seconds")};
  if (const std::string signal = text(report, "stopped"); !signal.empty()) {
    run.remarks.push_back("The run was stopped by " + signal + ": it has no result.");
  }
  const Json& ranks = array(report, "ranks");
  double bin_seconds = 0;
  for (const Json& rank : ranks) {
    bin_seconds = std::max(bin_seconds, amount_of(member(rank, "life_story"), "bin_seconds"));
  }
  if (bin_seconds > 0) run.life_story = LifeStory(bin_seconds);
  run.ranks.reserve(ranks.size());
  for (const Json& rank : ranks) {
    run.ranks.push_back(read_rank(rank, ranks.size()));
    read_life_story(member(rank, "life_story"), run.life_story);
    read_histogram(member(rank, "search_time_us"), run.search_times);
    read_histogram(member(member(rank, "communication"), "steal_time_us"), run.steal_times);
  }
  return run;
}

// "[json.exception.parse_error.101] parse error at ...", without what is not for people.
std::string reason(const Json::exception& error) {
  const std::string what = error.what();
  const std::size_t end = what.find("] ");
  return end == std::string::npos ? what : what.substr(end + 2);
}

}  // namespace

RunData parse_run(std::string_view text) {
  if (text.empty()) throw std::invalid_argument("is empty; allowed: a report or a trace");
  TraceReader trace;
  std::string outer_key;
  const auto keep = [&](int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth == 1 && event == Json::parse_event_t::key) outer_key = parsed.get<std::string>();
    if (depth != 2 || event != Json::parse_event_t::object_end || outer_key != "traceEvents") {
      return true;
    }
    trace.take(parsed);
    return false;
  };
  RunData run;
  try {
    const Json document = Json::parse(text, keep);
    run = member(document, "traceEvents").is_array() ? trace.finish(member(document, "otherData"))
                                                     : read_report(document);
  } catch (const Json::exception& error) {
    throw std::invalid_argument("is not JSON: " + printable(reason(error), std::string::npos));
  }
  if (std::ranges::all_of(run.ranks, [](const RankData& rank) { return rank.workers.empty(); })) {
    throw std::invalid_argument("has no workers; allowed: what --json or --trace wrote");
  }
  return run;
}

RunData read_run(const std::string& path, std::uint64_t memory_bytes) {
  try {
    Bytes bytes = read_file(path, memory_bytes);
    if (is_gzip(bytes.view())) bytes = gunzip(bytes.view(), memory_bytes);
    return parse_run(bytes.view());
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(printable(path, std::string::npos) + ": " + error.what());
  } catch (const std::bad_alloc&) {
    throw std::invalid_argument(printable(path, std::string::npos) + ": not enough memory for it");
  }
}

}  // namespace apps
