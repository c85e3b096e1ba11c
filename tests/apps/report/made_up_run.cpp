#include "tests/apps/report/made_up_run.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <sstream>

#include "apps/common/statistics_json.hpp"

namespace apps::test {

namespace {

using Json = nlohmann::ordered_json;
using Random = std::mt19937_64;

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kRunNs = 1000 * kMs;
constexpr std::int64_t kTaskNs = 250;

// From low to high, most of them low.
std::int64_t draw(Random& random, std::int64_t low, std::int64_t high) {
  const double share = static_cast<double>(random() >> 11U) / 9007199254740992.0;
  return low + static_cast<std::int64_t>(share * share * share * static_cast<double>(high - low));
}

std::string host(std::size_t rank) { return "node" + std::to_string(rank); }

// One worker's life.
void live(MadeUpRun& run, std::size_t rank, std::size_t thread, Random& random) {
  std::int64_t now = 0;
  const auto spend = [&](belay::ThreadState state, std::int64_t ns) {
    const std::int64_t end = std::min(now + ns, kRunNs);
    const std::int64_t tasks = state == belay::ThreadState::computing ? (end - now) / kTaskNs : 0;
    if (end > now) run.spans.push_back({rank, thread, state, now, end, tasks});
    now = end;
  };
  if (rank > 0 || thread > 0) {  // work arrives
    spend(belay::ThreadState::stealing, kMs);
    spend(belay::ThreadState::idle,
          static_cast<std::int64_t>(rank) * 10 * kMs + draw(random, kMs, 60 * kMs));
    run.searches_ns.emplace_back(rank, now);
  }
  const std::int64_t last = kRunNs - draw(random, 5 * kMs, 150 * kMs);
  while (now < last) {
    spend(belay::ThreadState::computing, draw(random, kMs, 40 * kMs));
    if (random() % 4 == 0) {
      spend(belay::ThreadState::distributing, draw(random, kMs / 2, 4 * kMs));
      continue;
    }
    if (random() % 4 == 0) spend(belay::ThreadState::probing, draw(random, kMs / 2, 3 * kMs));
    const std::int64_t out_of_work = now;
    spend(belay::ThreadState::stealing, draw(random, kMs / 500, 8 * kMs));
    if (random() % 3 == 0) spend(belay::ThreadState::idle, draw(random, kMs, 30 * kMs));
    if (now >= kRunNs) break;
    const bool from_abroad = run.ranks > 1 && random() % 8 == 0;
    const std::size_t victim = (thread + 1 + random() % 5) % run.workers;
    if (from_abroad || victim != thread) {
      run.steals.push_back(
          {rank, thread, from_abroad ? run.workers : victim, now, draw(random, 4, 20'000)});
    }
    run.searches_ns.emplace_back(rank, now - out_of_work);
  }
  spend(belay::ThreadState::computing, kMs);
  spend(belay::ThreadState::idle, kRunNs);
}

void ask_abroad(MadeUpRun& run, std::size_t rank, Random& random) {
  constexpr std::array kKinds{"random", "lifeline", "prefetch"};
  std::int64_t now = kMs;
  while (now < kRunNs - 100 * kMs && run.ranks > 1) {
    const std::size_t victim =
        (rank + 1 + random() % std::min<std::size_t>(run.ranks - 1, 3)) % run.ranks;
    const char* const kind = kKinds[random() % kKinds.size()];
    const std::int64_t loot_at = random() % 3 == 0 ? 0 : now + draw(random, 20'000, 5 * kMs);
    run.requests.push_back({rank, victim, kind, now, loot_at, draw(random, 100, 50'000)});
    run.spans.push_back({rank, run.workers, belay::ThreadState::probing, now, now + 5000, 0});
    now = std::max(loot_at, now) + draw(random, kMs, 40 * kMs);
  }
}

// The lower edges of belay::Durations' buckets in ns: 64, 80, 96, 112, 128, 160, ...
Json buckets_of(const std::vector<std::int64_t>& durations_ns) {
  std::map<std::int64_t, int> counts;
  for (const std::int64_t ns : durations_ns) {
    std::int64_t edge = 64;
    std::int64_t width = 16;
    for (int i = 1; edge + width <= ns; ++i) {
      edge += width;
      if (i % 4 == 0) width *= 2;
    }
    ++counts[edge];
  }
  Json buckets = Json::array();
  for (const auto& [edge, count] : counts) {
    buckets.push_back({static_cast<double>(edge) / 1000, count});
  }
  return {{"count", durations_ns.size()}, {"buckets", buckets}};
}

Json states_of(const MadeUpRun& run, std::size_t rank, std::size_t thread) {
  Json states;
  for (const char* name : kThreadStateNames) states[name] = 0.0;
  for (const Span& span : run.spans) {
    if (span.rank != rank || span.thread != thread) continue;
    Json& seconds = states[kThreadStateNames[static_cast<std::size_t>(span.state)]];
    seconds = seconds.get<double>() + static_cast<double>(span.end_ns - span.begin_ns) * 1e-9;
  }
  return states;
}

Json life_story_of(const MadeUpRun& run, std::size_t rank) {
  const std::int64_t width = rank == 1 ? 8 * kMs : 4 * kMs;
  const auto bins = static_cast<std::size_t>((run.end_ns + width - 1) / width);
  std::array<std::vector<double>, belay::kThreadStates> states;
  states.fill(std::vector<double>(bins));
  std::vector<double> tasks(bins);
  for (const Span& span : run.spans) {
    if (span.rank != rank || span.thread == run.workers) continue;
    for (std::size_t bin = 0; bin < bins; ++bin) {
      const auto begin = static_cast<std::int64_t>(bin) * width;
      const std::int64_t overlap =
          std::min(span.end_ns, begin + width) - std::max(span.begin_ns, begin);
      if (overlap <= 0) continue;
      states[static_cast<std::size_t>(span.state)][bin] +=
          static_cast<double>(overlap) / static_cast<double>(width);
      tasks[bin] += static_cast<double>(span.tasks) * static_cast<double>(overlap) /
                    static_cast<double>(span.end_ns - span.begin_ns);
    }
  }
  Json story{{"bin_seconds", static_cast<double>(width) * 1e-9}};
  for (std::size_t state = 0; state < belay::kThreadStates; ++state)
    story[kThreadStateNames[state]] = states[state];
  story["tasks"] = tasks;
  return story;
}

Json worker_of(const MadeUpRun& run, std::size_t rank, std::size_t thread) {
  std::int64_t tasks = 0;
  for (const Span& span : run.spans) {
    if (span.rank == rank && span.thread == thread) tasks += span.tasks;
  }
  std::vector<std::int64_t> stolen_from(run.workers + 1);
  for (const Steal& steal : run.steals) {
    if (steal.rank == rank && steal.thief == thread) stolen_from[steal.victim] += steal.tasks;
  }
  return {{"tasks", tasks},
          {"states", states_of(run, rank, thread)},
          {"tasks_stolen_from", stolen_from}};
}

Json rank_of(const MadeUpRun& run, std::size_t rank) {
  Json workers = Json::array();
  for (std::size_t i = 0; i < run.workers; ++i) workers.push_back(worker_of(run, rank, i));
  std::vector<std::int64_t> searches;
  for (const auto& [searching_rank, ns] : run.searches_ns) {
    if (searching_rank == rank) searches.push_back(ns);
  }
  std::map<std::size_t, std::int64_t> loot;
  std::vector<std::int64_t> waits;
  for (const Request& request : run.requests) {
    if (request.thief != rank || request.loot_at_ns == 0) continue;
    loot[request.victim] += request.tasks;
    if (std::string(request.kind) != "prefetch")
      waits.push_back(request.loot_at_ns - request.at_ns);
  }
  Json loot_from = Json::array();
  for (const auto& [victim, tasks] : loot)
    loot_from.push_back({{"rank", victim}, {"tasks", tasks}});
  return {{"rank", rank},
          {"host", host(rank)},
          {"workers", workers},
          {"search_time_us", buckets_of(searches)},
          {"communication",
           {{"states", states_of(run, rank, run.workers)},
            {"loot_from", loot_from},
            {"steal_time_us", buckets_of(waits)}}},
          {"life_story", life_story_of(run, rank)}};
}

Json config_of(const MadeUpRun& run) {
  return {{"tree", "made up"}, {"ranks", run.ranks}, {"threads", run.workers}};
}

double us(std::int64_t ns) { return static_cast<double>(ns) / 1000; }

}  // namespace

MadeUpRun make_up_run(std::size_t ranks, std::size_t workers) {
  Random random(42);
  MadeUpRun run{.ranks = ranks, .workers = workers, .end_ns = kRunNs};
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (std::size_t thread = 0; thread < workers; ++thread) live(run, rank, thread, random);
    ask_abroad(run, rank, random);
  }
  return run;
}

Json report_of(const MadeUpRun& run) {
  Json ranks = Json::array();
  std::int64_t tasks = 0;
  for (std::size_t rank = 0; rank < run.ranks; ++rank) ranks.push_back(rank_of(run, rank));
  for (const Span& span : run.spans) tasks += span.tasks;
  return {{"program", "uts"},
          {"config", config_of(run)},
          {"seconds", static_cast<double>(run.end_ns) * 1e-9},
          {"tasks", tasks},
          {"ranks", ranks}};
}

std::string trace_of(const MadeUpRun& run) {
  Json events = Json::array();
  for (std::size_t rank = 0; rank < run.ranks; ++rank) {
    const std::string name = "rank " + std::to_string(rank) + " (" + host(rank) + ")";
    events.push_back(
        {{"ph", "M"}, {"name", "process_name"}, {"pid", rank}, {"args", {{"name", name}}}});
    for (std::size_t thread = 0; thread <= run.workers; ++thread) {
      const std::string thread_name =
          thread < run.workers ? "worker " + std::to_string(thread) : "communication";
      events.push_back({{"ph", "M"},
                        {"name", "thread_name"},
                        {"pid", rank},
                        {"tid", thread},
                        {"args", {{"name", thread_name}}}});
    }
  }
  for (const Span& span : run.spans) {
    Json event{{"ph", "X"},
               {"name", kThreadStateNames[static_cast<std::size_t>(span.state)]},
               {"cat", "state"},
               {"pid", span.rank},
               {"tid", span.thread},
               {"ts", us(span.begin_ns)},
               {"dur", us(span.end_ns - span.begin_ns)}};
    if (span.tasks > 0) event["args"] = {{"tasks", span.tasks}};
    events.push_back(std::move(event));
  }
  std::uint64_t id = 0;
  const auto half = [&](const char* phase, const char* name, std::size_t rank, std::size_t thread,
                        std::int64_t ns) -> Json& {
    events.push_back({{"ph", phase},
                      {"name", name},
                      {"cat", "steal"},
                      {"id", id},
                      {"pid", rank},
                      {"tid", thread},
                      {"ts", us(ns)}});
    return events.back();
  };
  for (const Steal& steal : run.steals) {
    half("s", "steal", steal.rank, steal.thief, steal.at_ns)["args"] = {{"tasks", steal.tasks}};
    half("f", "steal", steal.rank, steal.victim, steal.at_ns)["bp"] = "e";
    ++id;
  }
  for (const Request& request : run.requests) {
    half("s", request.kind, request.thief, run.workers, request.at_ns);
    half("f", request.kind, request.victim, run.workers, request.at_ns + 10'000);
    ++id;
    if (request.loot_at_ns == 0) continue;
    half("s", "loot", request.victim, run.workers, request.at_ns + 12'000)["args"] = {
        {"tasks", request.tasks}, {"bytes", 20 * request.tasks}};
    half("f", "loot", request.thief, run.workers, request.loot_at_ns);
    ++id;
  }
  return Json{
      {"displayTimeUnit", "ns"},
      {"otherData", {{"program", "uts"}, {"config", config_of(run)}, {"dropped_events", 0}}},
      {"traceEvents", events}}
      .dump();
}

}  // namespace apps::test
