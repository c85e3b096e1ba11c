#include "bench/sim/prediction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>

#include "apps/common/statistics_json.hpp"

namespace bench {

namespace {

nlohmann::ordered_json spread(const std::vector<std::uint64_t>& tasks) {
  const auto [least, most] = std::ranges::minmax_element(tasks);
  const auto count = static_cast<double>(tasks.size());
  const double mean =
      static_cast<double>(std::accumulate(tasks.begin(), tasks.end(), 0ULL)) / count;
  double squares = 0;
  for (const std::uint64_t number : tasks) {
    squares += std::pow(static_cast<double>(number) - mean, 2);
  }
  return {
      {"min", *least}, {"mean", mean}, {"max", *most}, {"deviation", std::sqrt(squares / count)}};
}

nlohmann::ordered_json requests(const std::vector<belay::StealStatistics>& nodes) {
  nlohmann::ordered_json json;
  for (std::size_t kind = 0; kind < belay::kRequestKinds; ++kind) {
    std::array<std::uint64_t, 4> sums{};
    for (const auto& node : nodes) {
      const belay::RequestStatistics& sent = node.sent;
      const std::array counts{&sent.requests, &sent.loot, &sent.private_work, &sent.no_work};
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += (*counts[i])[kind];
    }
    json[apps::kRequestKindNames[kind]] = {
        {"sent", sums[0]}, {"loot", sums[1]}, {"private_work", sums[2]}, {"no_work", sums[3]}};
  }
  return json;
}

nlohmann::ordered_json story(const belay::LifeStory& story) {
  nlohmann::ordered_json json{{"width_seconds", story.width()}};
  for (const auto state :
       {belay::ThreadState::computing, belay::ThreadState::stealing, belay::ThreadState::idle}) {
    auto& bins = json[apps::kThreadStateNames[static_cast<std::size_t>(state)]];
    bins = nlohmann::ordered_json::array();
    for (std::size_t bin = 0; bin < story.bins(); ++bin) bins.push_back(story.threads(bin, state));
  }
  return json;
}

double seconds(belay::sim::Nanoseconds time) { return static_cast<double>(time) * 1e-9; }

}  // namespace

nlohmann::ordered_json to_json(const belay::sim::SimulationCounts& counts,
                               const belay::sim::SimulationOptions& options, const Losses& losses,
                               std::chrono::duration<double> took) {
  const double all =
      static_cast<double>(options.nodes) * options.workers * static_cast<double>(counts.time);
  const double efficiency =
      static_cast<double>(counts.tasks) * static_cast<double>(options.costs.task) / all;
  const double idle = losses.start() + losses.middle() + losses.tail();
  const auto loot =
      std::accumulate(counts.nodes.begin(), counts.nodes.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const auto& node) { return sum + node.loot_sent; });
  const auto events = static_cast<double>(counts.events);
  return {{"tasks", counts.tasks},
          {"task_ns", options.costs.task},
          {"seconds", seconds(counts.time)},
          {"last_task_seconds", seconds(counts.last_task)},
          {"decided_seconds", seconds(counts.decided)},
          {"efficiency", efficiency},
          {"loss",
           {{"start", losses.start() / all},
            {"middle", losses.middle() / all},
            {"tail", losses.tail() / all},
            {"other", 1 - efficiency - idle / all}}},
          {"requests", requests(counts.nodes)},
          {"loot", loot},
          {"tasks_per_worker", spread(counts.tasks_of_workers)},
          {"life_story", story(losses.story())},
          {"simulation",
           {{"events", counts.events},
            {"seconds", took.count()},
            {"events_per_second", events / took.count()}}}};
}

}  // namespace bench
