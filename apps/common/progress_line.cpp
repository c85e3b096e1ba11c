#include "apps/common/progress_line.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ostream>
#include <utility>

namespace apps {

namespace {

// "512.3 M": with one digit behind the point, unless it is a small number.
std::string shortened(double number) {
  const char* unit = "";
  for (const char* larger : {" k", " M", " G", " T"}) {
    if (number < 1000) break;
    number /= 1000;
    unit = larger;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), *unit == '\0' ? "%.0f%s" : "%.1f%s", number, unit);
  return text.data();
}

// Takes the line away and stays at its beginning.
constexpr const char* kEraseLine = "\r\033[K";

}  // namespace

ProgressLine::ProgressLine(std::string program, std::ostream& out, bool is_terminal,
                           double after_seconds)
    : program_(std::move(program)),
      out_(&out),
      is_terminal_(is_terminal),
      after_seconds_(after_seconds) {}

ProgressLine::~ProgressLine() {
  if (shown_ && is_terminal_) *out_ << kEraseLine << std::flush;
}

void ProgressLine::show(const belay::Progress& progress) {
  const belay::Progress before = std::exchange(before_, progress);
  if (progress.seconds < after_seconds_) return;
  // Counts of other ranks may come late, but none goes back.
  const double tasks = static_cast<double>(progress.tasks) - static_cast<double>(before.tasks);
  const double rate = std::max(0.0, tasks) / (progress.seconds - before.seconds);
  const double busy = static_cast<double>(std::max<std::int64_t>(0, progress.busy)) /
                      static_cast<double>(std::max<std::int64_t>(1, progress.workers));
  std::array<char, 256> line{};
  std::snprintf(line.data(), line.size(), "%s: %.0f s, %s tasks, %s/s, %.0f %% of %ld workers busy",
                program_.c_str(), progress.seconds,
                shortened(static_cast<double>(progress.tasks)).c_str(), shortened(rate).c_str(),
                100 * busy, static_cast<long>(progress.workers));
  *out_ << (is_terminal_ ? kEraseLine : "") << line.data() << (is_terminal_ ? "" : "\n")
        << std::flush;
  shown_ = true;
}

}  // namespace apps
