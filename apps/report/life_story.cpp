#include "apps/report/life_story.hpp"

#include <algorithm>
#include <cmath>

namespace apps {

namespace {

void add_part(LifeStory::Bin& to, const LifeStory::Bin& amount, double part) {
  for (std::size_t state = 0; state < belay::kThreadStates; ++state) {
    to.seconds[state] += part * amount.seconds[state];
  }
  to.tasks += part * amount.tasks;
}

}  // namespace

void LifeStory::add(double begin, double end, const Bin& amount) {
  constexpr double kRounding = 1e-6;  // of a bin: what begins on an edge does so but for rounding
  begin = std::max(begin, 0.0);
  end = std::max(end, begin);
  while (end / bin_seconds_ - kRounding > kMostBins) coarsen();
  const double first = std::min(std::floor(begin / bin_seconds_ + kRounding), kMostBins - 1.0);
  const double behind = std::max(std::ceil(end / bin_seconds_ - kRounding), first + 1);
  if (bins_.size() < static_cast<std::size_t>(behind)) {
    bins_.resize(static_cast<std::size_t>(behind));
  }
  for (double bin = first; bin < behind; ++bin) {
    const double from = std::max(bin * bin_seconds_, begin);
    const double to = std::min((bin + 1) * bin_seconds_, end);
    const double part = behind == first + 1 ? 1 : (to - from) / (end - begin);
    add_part(bins_[static_cast<std::size_t>(bin)], amount, part);
  }
}

void LifeStory::coarsen() {
  bin_seconds_ *= 2;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    const Bin bin = bins_[i];
    if (i % 2 == 0) bins_[i / 2] = Bin{};
    add_part(bins_[i / 2], bin, 1);
  }
  bins_.resize((bins_.size() + 1) / 2);
}

}  // namespace apps
