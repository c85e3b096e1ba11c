#include "apps/report/figures.hpp"

#include "apps/report/drawings.hpp"
#include "apps/report/figure_data.hpp"
#include "apps/report/script.hpp"

namespace apps {

std::vector<Figure> figures_of(const RunData& run) {
  std::vector<double> computing;
  std::vector<double> tasks;
  const std::vector<const ThreadData*> workers = workers_of(run);
  computing.reserve(workers.size());
  tasks.reserve(workers.size());
  for (const ThreadData* worker : workers) {
    computing.push_back(worker->seconds[static_cast<std::size_t>(belay::ThreadState::computing)]);
    tasks.push_back(worker->tasks);
  }
  return {
      {"life_story", "Life story", "How many workers are in which state over time.",
       draw_life_story(run), kWide},
      {"throughput", "Throughput", "Tasks done per second, over time.", draw_throughput(run),
       kWide},
      {"computing", "Computing time per worker",
       "How long each worker computed; the dashed lines are one standard deviation from the mean.",
       draw_bars(run, computing, "computing", "s", kBlue), kWide},
      {"tasks", "Tasks per worker",
       "How many tasks each worker did; the dashed lines are one standard deviation from the mean.",
       draw_bars(run, tasks, "work", "tasks", kSkyBlue), kWide},
      {"steals", "Who stole how much from whom",
       "Tasks that the thief of a row took from the victim of a column. Communication threads, c, "
       "carry work from rank to rank: their rank's workers steal from them what came.",
       draw_steals(run), kSquare},
      {"search_times", "Search times",
       "How long workers that ran out of work looked for a bag; p90: nine of ten were faster.",
       draw_latencies(run.search_times, "time from out of work to a bag", "searches"), kWide},
      {"steal_times", "Steal latencies between ranks",
       "How long it took from a request to another rank until its loot was there; p90 as above.",
       draw_latencies(run.steal_times, "time from the request to the loot", "steals"), kWide},
  };
}

}  // namespace apps
