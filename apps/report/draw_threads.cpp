#include <algorithm>
#include <cmath>

#include "apps/report/drawings.hpp"
#include "apps/report/quantity.hpp"
#include "apps/report/script.hpp"

namespace apps {

std::string draw_bars(const RunData& run, const std::vector<double>& of_workers,
                      const std::string& what, const std::string& unit, const char* colour) {
  constexpr std::size_t kMostSeparateBars = 48;
  const double most = *std::ranges::max_element(of_workers);
  if (most <= 0) return {};
  const Quantity scale = quantity(most, unit);
  const auto [mean, deviation] = spread_of(of_workers);
  std::vector<std::vector<double>> heights;
  heights.reserve(of_workers.size());
  for (const double value : of_workers) heights.push_back({value / scale.unit});
  std::ostringstream script = script_for(kWide);
  const bool separate = of_workers.size() <= kMostSeparateBars;
  const double width = separate ? 0.8 : 1;
  write_steps(script, -0.5, 1, heights);
  write_thread_axis(script, "x", "", thread_axis(run, false));
  const auto line = [&](double at, const std::string& style, const std::string& title) {
    script << ", " << at / scale.unit << " with lines lw 2 " << style << ' ' << title;
  };
  const std::string in_legend = unit == "s" ? unit : "";  // as short as can be
  script << "set ylabel '" << what << " in " << scale.name
         << "'\nset xrange [-0.5:" << static_cast<double>(of_workers.size()) - 0.5
         << "]\nset yrange [0:" << 1.08 * std::max(most, mean + deviation) / scale.unit
         << "]\nset boxwidth " << width << "\nplot $data using "
         << (separate ? "($1+0.5):2 every 2 with boxes" : "1:2 with filledcurves y=0") << " lc rgb "
         << quoted(colour) << " title 'of a worker'";
  line(mean, "lc rgb " + quoted(kVermilion), "title 'mean " + shown(mean, in_legend) + "'");
  line(mean + deviation, "dt 2 lc rgb 'black'",
       "title 'deviation " + shown(deviation, in_legend) + "'");
  line(std::max(mean - deviation, 0.0), "dt 2 lc rgb 'black'", "notitle");
  script << '\n';
  return script.str();
}

std::string draw_steals(const RunData& run) {
  constexpr std::size_t kMostThreads = 600;  // more are not told apart on a screen
  const StealMatrix matrix = steal_matrix(run, kMostThreads);
  double most = 0;
  double least = INFINITY;  // but nothing
  std::ostringstream script = script_for(kSquare);
  script << "$data << END\n";
  for (const auto& row : matrix.tasks) {
    for (const double cell : row) {
      if (cell > 0) {
        script << cell << ' ';
        most = std::max(most, cell);
        least = std::min(least, cell);
      } else {
        script << "NaN ";  // not drawn: the palette has no colour for nothing
      }
    }
    script << '\n';
  }
  script << "END\n";
  if (most <= 0) return {};
  const double end = static_cast<double>(matrix.tasks.size()) - 0.5;
  write_thread_axis(script, "x", "victim: ", matrix.axis);
  write_thread_axis(script, "y", "thief: ", matrix.axis);
  script << "set xrange [-0.5:" << end << "]\nset yrange [" << end << ":-0.5]\n"
         << R"(unset key
unset grid
set border 15 front
set palette defined (0 '#FFEA46', 1 '#E4CF5B', 2 '#C4B56C', 3 '#A69D75', 4 '#8A8779', \
  5 '#707173', 6 '#575C6D', 7 '#39486B', 8 '#00336F', 9 '#00204D')
set logscale cb
set format cb '%.0s%c'
set cblabel 'tasks stolen' offset 1
set colorbox user origin screen 0.82, screen 0.105 size screen 0.03, screen 0.87
)";
  const double low = std::pow(10, std::floor(std::log10(least)));
  script << "set cbrange [" << low << ':' << std::max(most, 10 * low)
         << "]\nplot $data matrix with image\n";
  return script.str();
}

}  // namespace apps
