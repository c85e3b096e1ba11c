#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/report/drawings.hpp"
#include "apps/report/quantity.hpp"
#include "apps/report/script.hpp"

namespace apps {

std::string draw_latencies(const Histogram& histogram, const std::string& time,
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
  std::ostringstream script = script_for(kWide);
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
         << "\nset xrange [" << 0.999 * low << ':' << 1.001 * high  // tics at both ends are drawn
         << "]\nset yrange [0:" << 1.05 * most << "]\nset xtics (";
  const char* separator = "";
  for (double ns = low; ns < 2 * high; ns *= 10) {
    script << std::exchange(separator, ", ") << quoted(shown(ns * kSecondsPerNs, "s")) << ' ' << ns;
  }
  script << ")\nplot $data using 1:2:3:4:5:6 with boxxyerror lc rgb " << quoted(kSkyBlue)
         << " title " << quoted(counted) << ", $median with lines lw 2 lc rgb "
         << quoted(kVermilion) << " title 'median " << shown(median * kSecondsPerNs, "s")
         << "', $p90 with lines lw 2 dt 2 lc rgb 'black' title 'p90 "
         << shown(p90 * kSecondsPerNs, "s") << "'\n";
  return script.str();
}

}  // namespace apps
