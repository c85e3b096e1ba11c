#include "apps/report/figures.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "apps/report/figure_data.hpp"
#include "apps/report/quantity.hpp"

namespace apps {

namespace {

constexpr int kWidth = 900;
constexpr ImageSize kWide{kWidth, 380};
constexpr ImageSize kSquare{kWidth, 720};
constexpr std::size_t kMostSeparateBars = 48;
constexpr std::size_t kMostMatrixThreads = 600;  // more are not told apart on a screen

// What all have in common: axes at the same places, so that times and threads stand below each
// other, and the legend beside the data.
constexpr const char* kFrame = R"(
set lmargin at screen 0.095
set rmargin at screen 0.795
set tics out nomirror
set border 3 back
set grid y back lc '#dddddd' lt 1 lw 0.5
set style fill solid noborder
set key at screen 0.81, screen 0.96 left top Left reverse samplen 1.5 spacing 1.2
set xlabel offset 0,0.2
set format '%g'
)";
constexpr const char* kWideFrame = R"(
set tmargin at screen 0.95
set bmargin at screen 0.17
)";
constexpr const char* kBlue = "#0072B2";
constexpr const char* kSkyBlue = "#56B4E9";
constexpr const char* kVermilion = "#D55E00";

// A script that is being written. Doubles keep ten digits.
std::ostringstream script_with(const char* frame) {
  std::ostringstream script;
  script.precision(10);
  script << kFrame << frame;
  return script;
}

std::string quoted(const std::string& text) { return '\'' + text + '\''; }

std::string x_tics(const ThreadAxis& axis, const char* which) {
  std::ostringstream script;
  script << "set " << which << "label " << quoted(axis.title) << "\nset " << which << "tics scale "
         << (axis.borders.empty() ? "1" : "0,1") << " (";
  const char* separator = "";
  for (const auto& [at, text] : axis.labels) {
    script << std::exchange(separator, ", ") << quoted(text) << ' ' << at;
  }
  for (const double border : axis.borders) {
    script << std::exchange(separator, ", ") << "'' " << border << " 1";
  }
  script << ")\n";
  return script.str();
}

std::string life_story(const RunData& run) {
  const auto& bins = run.life_story.bins();
  const std::vector<const ThreadData*> workers = workers_of(run);
  double sum = 0;
  for (const LifeStory::Bin& bin : bins) {
    for (const double seconds : bin.seconds) sum += seconds;
  }
  if (sum <= 0) return {};
  const double width = run.life_story.bin_seconds();
  const double end = static_cast<double>(bins.size()) * width;
  const Quantity time = quantity(end, "s");
  std::ostringstream script = script_with(kWideFrame);
  script << "$data << END\n";
  for (std::size_t i = 0; i < bins.size() + 1; ++i) {  // the last step ends where the time does
    const LifeStory::Bin& bin = bins[std::min(i, bins.size() - 1)];
    script << static_cast<double>(i) * width / time.unit;
    double below = 0;
    for (const double seconds : bin.seconds) script << ' ' << (below += seconds / width);
    script << '\n';
  }
  script << "END\nset xlabel 'time since the start in " << time.name << "'\n"
         << "set ylabel 'workers'\nset xrange [0:" << end / time.unit
         << "]\nset yrange [0:" << workers.size() << "]\nplot ";
  for (std::size_t state = kStates; state-- > 0;) {  // each covers all but its own part
    script << "$data using 1:" << state + 2 << " with fillsteps lc rgb "
           << quoted(kStateColours[state]) << " title " << quoted(kStateNames[state])
           << (state > 0 ? ", " : "\n");
  }
  return script.str();
}

std::string throughput(const RunData& run) {
  const auto& bins = run.life_story.bins();
  const double width = run.life_story.bin_seconds();
  double most = 0;
  double all = 0;
  for (const LifeStory::Bin& bin : bins) {
    most = std::max(most, bin.tasks / width);
    all += bin.tasks;
  }
  if (most <= 0) return {};
  const double end = static_cast<double>(bins.size()) * width;
  const Quantity time = quantity(end, "s");
  const Quantity rate = quantity(most, "tasks/s");
  const double mean = all / (run.seconds > 0 ? run.seconds : end);
  std::ostringstream script = script_with(kWideFrame);
  script << "$data << END\n";
  for (std::size_t i = 0; i < bins.size() + 1; ++i) {
    script << static_cast<double>(i) * width / time.unit << ' '
           << bins[std::min(i, bins.size() - 1)].tasks / width / rate.unit << '\n';
  }
  script << "END\nset xlabel 'time since the start in " << time.name
         << "'\nset ylabel 'throughput in " << rate.name << "'\nset xrange [0:" << end / time.unit
         << "]\nset yrange [0:" << 1.05 * most / rate.unit
         << "]\nplot $data using 1:2 with fillsteps lc rgb " << quoted(kSkyBlue)
         << " title 'tasks/s', " << mean / rate.unit << " with lines lw 2 dt 2 lc rgb "
         << quoted(kVermilion) << " title 'mean " << shown(mean, "/s") << "'\n";
  return script.str();
}

// Bars, one a thread; of many no gaps are seen. After Zhang et al., GLB: Lifeline-based Global Load
// Balancing Library in X10, PPAA 2014, doi 10.1145/2567634.2567639, figures 6, 8 and 10.
std::string bars(const RunData& run, const std::vector<double>& values, const std::string& what,
                 const std::string& unit, const char* colour) {
  const double most = *std::ranges::max_element(values);
  if (most <= 0) return {};
  const Quantity scale = quantity(most, unit);
  const auto [mean, deviation] = spread_of(values);
  const bool separate = values.size() <= kMostSeparateBars;
  std::ostringstream script = script_with(kWideFrame);
  script << "$data << END\n";
  for (std::size_t i = 0; i < values.size() + (separate ? 0 : 1); ++i) {
    script << static_cast<double>(i) - (separate ? 0 : 0.5) << ' '
           << values[std::min(i, values.size() - 1)] / scale.unit << '\n';
  }
  const auto line = [&](double at, const char* style, const std::string& title) {
    script << ", " << at / scale.unit << " with lines lw 2 " << style << ' ' << title;
  };
  script << "END\nset ylabel '" << what << " in " << scale.name << "'\n"
         << x_tics(thread_axis(run, false), "x")
         << "set xrange [-0.5:" << static_cast<double>(values.size()) - 0.5
         << "]\nset yrange [0:" << 1.08 * std::max(most, mean + deviation) / scale.unit
         << "]\nset boxwidth 0.8\nplot $data using 1:2 with " << (separate ? "boxes" : "fillsteps")
         << " lc rgb " << quoted(colour) << " title 'of a worker'";
  line(mean, "lc rgb '#D55E00'", "title 'mean " + shown(mean, unit) + "'");
  line(mean + deviation, "dt 2 lc rgb 'black'", "title 'deviation " + shown(deviation, unit) + "'");
  line(std::max(mean - deviation, 0.0), "dt 2 lc rgb 'black'", "notitle");
  script << '\n';
  return script.str();
}

std::string computing(const RunData& run) {
  std::vector<double> seconds;
  for (const ThreadData* worker : workers_of(run)) seconds.push_back(worker->seconds[0]);
  return bars(run, seconds, "computing", "s", kBlue);
}

std::string tasks(const RunData& run) {
  std::vector<double> counts;
  for (const ThreadData* worker : workers_of(run)) counts.push_back(worker->tasks);
  return bars(run, counts, "work", "tasks", kSkyBlue);
}

std::string steals(const RunData& run) {
  const StealMatrix matrix = steal_matrix(run, kMostMatrixThreads);
  double most = 0;
  for (const auto& row : matrix.tasks) most = std::max(most, *std::ranges::max_element(row));
  if (most <= 0) return {};
  const double end = static_cast<double>(matrix.tasks.size()) - 0.5;
  std::ostringstream script = script_with("");
  script << "$data << END\n";
  for (const auto& row : matrix.tasks) {
    for (const double cell : row) {
      if (cell > 0) {
        script << cell << ' ';
      } else {
        script << "NaN ";  // not drawn: the palette has no colour for nothing
      }
    }
    script << '\n';
  }
  script << "END\n"
         << x_tics(matrix.axis, "x") << x_tics(matrix.axis, "y")
         << "set xlabel 'victim: " << matrix.axis.title
         << "'\nset ylabel 'thief: " << matrix.axis.title << "'\nset xrange [-0.5:" << end
         << "]\nset yrange [" << end << ":-0.5]\n"
         << R"(unset key
unset grid
set border 15 front
set tmargin at screen 0.975
set bmargin at screen 0.1
set palette defined (0 '#FFEA46', 1 '#E4CF5B', 2 '#C4B56C', 3 '#A69D75', 4 '#8A8779', \
  5 '#707173', 6 '#575C6D', 7 '#39486B', 8 '#00336F', 9 '#00204D')
set logscale cb
set format cb '%.0s%c'
set cblabel 'tasks stolen' offset 1
set colorbox user origin screen 0.82, screen 0.1 size screen 0.03, screen 0.875
)"
         << "set cbrange [1:" << std::max(most, 10.0) << "]\nplot $data matrix with image\n";
  return script.str();
}

std::string latencies(const Histogram& histogram, const std::string& time,
                      const std::string& counted) {
  if (total(histogram) <= 0) return {};
  const auto power_of_ten = [](double ns, bool up) {
    const double exponent = std::log10(ns);
    return std::pow(10, up ? std::ceil(exponent) : std::floor(exponent));
  };
  const double low = power_of_ten(static_cast<double>(histogram.begin()->first), false);
  const double high =
      power_of_ten(static_cast<double>(upper_edge_ns(histogram.rbegin()->first)), true);
  double most = 0;
  std::ostringstream script = script_with(kWideFrame);
  script << "$data << END\n";
  for (const auto& [lower, count] : histogram) {
    const std::uint64_t upper = upper_edge_ns(lower);
    script << lower << ' ' << count << ' ' << lower << ' ' << upper << " 0 " << count << '\n';
    most = std::max(most, count);
  }
  const double median = quantile(histogram, 0.5);
  const double p90 = quantile(histogram, 0.9);
  const auto marker = [&](const char* name, double at) {
    script << "END\n$" << name << " << END\n" << at << " 0\n" << at << ' ' << 1.05 * most << '\n';
  };
  marker("median", median);
  marker("p90", p90);
  constexpr double kSecondsPerNs = 1e-9;
  script << "END\nset logscale x\nset xlabel " << quoted(time) << "\nset ylabel " << quoted(counted)
         << "\nset xrange [" << low << ':' << high << "]\nset yrange [0:" << 1.05 * most
         << "]\nset xtics (";
  const char* separator = "";
  for (double ns = low; ns < 2 * high; ns *= 10) {
    script << std::exchange(separator, ", ") << quoted(shown(ns * kSecondsPerNs, "s")) << ' ' << ns;
  }
  script << ")\nplot $data using 1:2:3:4:5:6 with boxxyerror lc rgb " << quoted(kSkyBlue)
         << " title " << quoted(counted) << ", $median with lines lw 2 lc rgb "
         << quoted(kVermilion) << " title 'median " << shown(median * kSecondsPerNs, "s")
         << "', $p90 with lines lw 2 dt 2 lc rgb 'black' title '90 % within "
         << shown(p90 * kSecondsPerNs, "s") << "'\n";
  return script.str();
}

}  // namespace

std::vector<Figure> figures_of(const RunData& run) {
  return {
      {"life_story", "Life story", "How many workers are in which state over time.",
       life_story(run), kWide},
      {"throughput", "Throughput", "Tasks done per second, over time.", throughput(run), kWide},
      {"computing", "Computing time per worker",
       "How long each worker computed; the dashed lines are one standard deviation from the mean.",
       computing(run), kWide},
      {"tasks", "Tasks per worker",
       "How many tasks each worker did; the dashed lines are one standard deviation from the mean.",
       tasks(run), kWide},
      {"steals", "Who stole how much from whom",
       "Tasks that the thief of a row took from the victim of a column. Communication threads, c, "
       "carry work from rank to rank: their rank's workers steal from them what came.",
       steals(run), kSquare},
      {"search_times", "Search times", "How long workers that ran out of work looked for a bag.",
       latencies(run.search_times, "time from out of work to a bag", "searches"), kWide},
      {"steal_times", "Steal latencies between ranks",
       "How long it took from a request to another rank until its loot was there.",
       latencies(run.steal_times, "time from the request to the loot", "steals"), kWide},
  };
}

}  // namespace apps
