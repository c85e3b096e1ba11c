#include "apps/common/statistics_json.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace apps {

namespace {

using Json = nlohmann::ordered_json;

double microseconds(std::int64_t ns) { return static_cast<double>(ns) / 1000; }

// A picture needs no more digits.
double rounded(double threads) { return std::round(threads * 1e4) / 1e4; }

Json by_state(const belay::PerState& seconds) {
  Json object;
  for (std::size_t state = 0; state < belay::kThreadStates; ++state) {
    object[kThreadStateNames[state]] = seconds[state];
  }
  return object;
}

Json to_json(const belay::Durations& times) {
  Json buckets = Json::array();
  for (std::size_t i = 0; i < belay::Durations::kBuckets; ++i) {
    if (times.count(i) == 0) continue;
    buckets.push_back({microseconds(belay::Durations::shortest(i)), times.count(i)});
  }
  return {{"count", times.count()},
          {"median", microseconds(times.quantile(0.5))},
          {"p90", microseconds(times.quantile(0.9))},
          {"buckets", buckets}};
}

Json to_json(const belay::RequestStatistics& requests) {
  Json kinds;
  for (std::size_t kind = 0; kind < belay::kRequestKinds; ++kind) {
    kinds[kRequestKindNames[kind]] = {{"requests", requests.requests[kind]},
                                      {"loot", requests.loot[kind]},
                                      {"private_work", requests.private_work[kind]},
                                      {"no_work", requests.no_work[kind]}};
  }
  return kinds;
}

Json workers_of(const belay::RankStatistics& rank) {
  const std::size_t victims = rank.workers.size() + 1;
  Json workers = Json::array();
  for (std::size_t i = 0; i < rank.workers.size(); ++i) {
    const belay::WorkerStatistics& worker = rank.workers[i];
    Json stolen = Json::array();
    for (std::size_t victim = 0; victim < victims && !rank.tasks_stolen.empty(); ++victim) {
      stolen.push_back(rank.tasks_stolen[i * victims + victim]);
    }
    workers.push_back({{"tasks", worker.tasks},
                       {"quanta", worker.quanta},
                       {"chunks_published", worker.chunks_published},
                       {"chunks_taken_back", worker.chunks_taken_back},
                       {"steals", worker.chunks_stolen},
                       {"steals_lost", worker.steals_lost},
                       {"waits", worker.waits},
                       {"sleeps", worker.sleeps},
                       {"states", by_state(worker.seconds)},
                       {"last_task_seconds", worker.last_task},
                       {"tasks_stolen_from", stolen}});
  }
  return workers;
}

Json to_json(const belay::CommunicationStatistics& c, const std::vector<belay::TasksFrom>& loot) {
  Json from = Json::array();
  for (const auto& [rank, tasks] : loot) from.push_back({{"rank", rank}, {"tasks", tasks}});
  return {{"sent", to_json(c.sent)},
          {"received", to_json(c.received)},
          {"loot_sent", c.loot_sent},
          {"loot_received", c.loot_received},
          {"tasks_sent", c.tasks_sent},
          {"tasks_received", c.tasks_received},
          {"bytes_sent", c.bytes_sent},
          {"bytes_received", c.bytes_received},
          {"votes", c.votes},
          {"wakeups", c.wakeups},
          {"states", by_state(c.seconds)},
          {"decided_seconds", c.decided},
          {"loot_from", from},
          {"steal_time_us", to_json(c.steal_times)}};
}

Json to_json(const belay::LifeStory& story) {
  Json object{{"bin_seconds", story.width()}};
  for (std::size_t state = 0; state < belay::kThreadStates; ++state) {
    Json& threads = object[kThreadStateNames[state]] = Json::array();
    for (std::size_t bin = 0; bin < story.bins(); ++bin) {
      threads.push_back(rounded(story.threads(bin, static_cast<belay::ThreadState>(state))));
    }
  }
  Json& tasks = object["tasks"] = Json::array();
  for (std::size_t bin = 0; bin < story.bins(); ++bin) tasks.push_back(story.tasks(bin));
  return object;
}

}  // namespace

Json to_json(const belay::RankStatistics& rank) {
  belay::Durations searches;
  for (const auto& worker : rank.workers) searches.add(worker.searches);
  return {{"rank", rank.rank},
          {"host", rank.host},
          {"seconds", rank.seconds},
          {"workers", workers_of(rank)},
          {"search_time_us", to_json(searches)},
          {"communication", to_json(rank.communication, rank.loot_from)},
          {"life_story", to_json(rank.life_story)}};
}

}  // namespace apps
