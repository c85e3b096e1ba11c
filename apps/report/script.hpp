// Pieces of gnuplot scripts.
#pragma once

#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "apps/report/figure_data.hpp"
#include "apps/report/gnuplot.hpp"
#include "apps/report/run_data.hpp"

namespace apps {

inline constexpr ImageSize kWide{900, 400};
inline constexpr ImageSize kSquare{900, 720};

// Of Okabe and Ito, by ThreadState.
inline constexpr std::array<const char*, belay::kThreadStates> kStateColours{
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#F0E442"};
inline constexpr const char* kBlue = "#0072B2";
inline constexpr const char* kSkyBlue = "#56B4E9";
inline constexpr const char* kVermilion = "#D55E00";

// A script that begins with what the figures of this size have in common: axes at the same places,
// so that times and threads stand below each other, and the legend beside the data.
[[nodiscard]] std::ostringstream script_for(ImageSize size);

[[nodiscard]] std::string quoted(const std::string& text);

// The data block $data: row i holds from begin + i * width to the next. Drawn as areas above 0,
// since gnuplot's own steps leave seams between each other.
void write_steps(std::ostream& script, double begin, double width,
                 const std::vector<std::vector<double>>& rows);

// "'TITLE'" and tics of an axis, "x" or "y"; `role` stands before the title.
void write_thread_axis(std::ostream& script, const std::string& which, const std::string& role,
                       const ThreadAxis& axis);

}  // namespace apps
