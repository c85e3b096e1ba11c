#include <algorithm>
#include <numeric>

#include "apps/common/statistics_json.hpp"
#include "apps/report/drawings.hpp"
#include "apps/report/quantity.hpp"
#include "apps/report/script.hpp"

namespace apps {

std::string draw_life_story(const RunData& run) {
  const LifeStory& story = run.life_story;
  const double end = story.bin_seconds() * static_cast<double>(story.bins().size());
  const Quantity time = quantity(end, "s");
  double all = 0;
  std::vector<std::vector<double>> stacks;  // workers in each state and those before it
  stacks.reserve(story.bins().size());
  for (const LifeStory::Bin& bin : story.bins()) {
    std::vector<double>& stack = stacks.emplace_back(belay::kThreadStates);
    std::partial_sum(bin.seconds.begin(), bin.seconds.end(), stack.begin());
    all += stack.back();
    for (double& workers : stack) workers /= story.bin_seconds();
  }
  if (all <= 0) return {};
  constexpr std::size_t kFewWorkers = 10;
  const std::size_t workers = workers_of(run).size();
  std::ostringstream script = script_for(kWide);
  write_steps(script, 0, story.bin_seconds() / time.unit, stacks);
  if (workers <= kFewWorkers) script << "set ytics 1\n";
  script << "set xlabel 'time since the start in " << time.name << "'\nset ylabel 'workers'\n"
         << "set xrange [0:" << end / time.unit << "]\nset yrange [0:" << workers << "]\nplot ";
  for (std::size_t state = belay::kThreadStates;
       state-- > 0;) {  // each covers all but its own part
    script << "$data using 1:" << state + 2 << " with filledcurves y=0 lc rgb "
           << quoted(kStateColours[state]) << " title " << quoted(kThreadStateNames[state])
           << (state > 0 ? ", " : "\n");
  }
  return script.str();
}

std::string draw_throughput(const RunData& run) {
  const LifeStory& story = run.life_story;
  const double end = story.bin_seconds() * static_cast<double>(story.bins().size());
  const Quantity time = quantity(end, "s");
  double most = 0;
  double all = 0;
  for (const LifeStory::Bin& bin : story.bins()) {
    most = std::max(most, bin.tasks / story.bin_seconds());
    all += bin.tasks;
  }
  if (most <= 0) return {};
  const Quantity rate = quantity(most, "tasks/s");
  std::vector<std::vector<double>> rates;
  rates.reserve(story.bins().size());
  for (const LifeStory::Bin& bin : story.bins()) {
    rates.push_back({bin.tasks / story.bin_seconds() / rate.unit});
  }
  const double mean = all / (run.seconds > 0 ? run.seconds : end);
  std::ostringstream script = script_for(kWide);
  write_steps(script, 0, story.bin_seconds() / time.unit, rates);
  script << "set xlabel 'time since the start in " << time.name << "'\nset ylabel 'throughput in "
         << rate.name << "'\nset xrange [0:" << end / time.unit
         << "]\nset yrange [0:" << 1.05 * most / rate.unit
         << "]\nplot $data using 1:2 with filledcurves y=0 lc rgb " << quoted(kSkyBlue)
         << " title 'tasks/s', " << mean / rate.unit << " with lines lw 2 lc rgb "
         << quoted(kVermilion) << " title 'mean " << shown(mean, "") << "'\n";
  return script.str();
}

}  // namespace apps
