#include "apps/report/script.hpp"

#include <utility>

namespace apps {

std::ostringstream script_for(ImageSize size) {
  std::ostringstream script;
  script.precision(10);
  script << R"(set lmargin at screen 0.105
set rmargin at screen 0.795
set tics out nomirror
set border 3 back
set grid y back lc '#dddddd' lt 1 lw 0.5
set style fill solid noborder
set key at screen 0.81, screen 0.96 left top Left reverse samplen 1.5 spacing 1.2
set xlabel offset 0,0.2
set format '%g'
)";
  const bool wide = size.height == kWide.height;
  script << "set tmargin at screen " << (wide ? 0.95 : 0.975) << "\nset bmargin at screen "
         << (wide ? 0.2 : 0.105) << '\n';
  return script;
}

std::string quoted(const std::string& text) { return '\'' + text + '\''; }

void write_steps(std::ostream& script, double begin, double width,
                 const std::vector<std::vector<double>>& rows) {
  script << "$data << END\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::size_t edge : {i, i + 1}) {
      script << begin + static_cast<double>(edge) * width;
      for (const double value : rows[i]) script << ' ' << value;
      script << '\n';
    }
  }
  script << "END\n";
}

void write_thread_axis(std::ostream& script, const std::string& which, const std::string& role,
                       const ThreadAxis& axis) {
  script << "set " << which << "label " << quoted(role + axis.title) << "\nset " << which
         << "tics scale " << (axis.borders.empty() ? "1" : "0,1") << " (";
  const char* separator = "";
  for (const auto& [at, text] : axis.labels) {
    script << std::exchange(separator, ", ") << quoted(text) << ' ' << at;
  }
  for (const double border : axis.borders) {
    script << std::exchange(separator, ", ") << "'' " << border << " 1";
  }
  script << ")\n";
}

}  // namespace apps
