// What --progress shows: one line on stderr, once a second, while a run goes on.
//
// At a terminal the line is written over the one before and taken away at the end; in a log file
// each is a line of its own.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "belay/core/progress.hpp"

namespace apps {

class ProgressLine {
 public:
  // after_seconds: runs that end before are spared it. `out` outlives the object.
  ProgressLine(std::string program, std::ostream& out, bool is_terminal, double after_seconds);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // "uts: 12 s, 512.3 M tasks, 42.7 M/s, 98 % of 24 workers busy"; the rate is since the call
  // before.
  void show(const belay::Progress& progress);

 private:
  std::string program_;
  std::ostream* out_;
  bool is_terminal_;
  double after_seconds_;
  belay::Progress before_{};
  bool shown_ = false;
};

}  // namespace apps
