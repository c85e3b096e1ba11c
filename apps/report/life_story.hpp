// The life story of a run: how many workers were in which state over time, and when tasks were
// done.
//
// Time since the run's start is cut into equal bins. When there are too many, each two become one,
// so that memory is bounded however long the run was. Source: Saraswat et al., Lifeline-based
// Global Load Balancing, PPoPP 2011, doi 10.1145/1941553.1941582, figures 1 and 2.
#pragma once

#include <cstddef>
#include <vector>

#include "belay/core/life_story.hpp"

namespace apps {

class LifeStory {
 public:
  struct Bin {
    belay::PerState seconds{};  // of all workers together
    double tasks = 0;
  };

  static constexpr std::size_t kMostBins = 1024;

  explicit LifeStory(double bin_seconds) : bin_seconds_(bin_seconds) {}

  // What workers spent and did from begin to end, evenly; before the run's start there is nothing.
  void add(double begin, double end, const Bin& amount);

  [[nodiscard]] double bin_seconds() const noexcept { return bin_seconds_; }
  [[nodiscard]] const std::vector<Bin>& bins() const noexcept { return bins_; }

 private:
  void coarsen();

  double bin_seconds_;
  std::vector<Bin> bins_;
};

}  // namespace apps
