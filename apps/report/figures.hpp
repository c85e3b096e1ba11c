// The figures of a run, as gnuplot scripts.
//
// No text of the file gets into a script: labels are numbers and words that stand here. Colours are
// those of Okabe and Ito (Color Universal Design, jfly.uni-koeln.de/color), which people with any
// kind of colour vision tell apart, and for amounts cividis (Nunez et al. 2018, doi
// 10.1371/journal.pone.0199239).
#pragma once

#include <string>
#include <vector>

#include "apps/report/gnuplot.hpp"
#include "apps/report/run_data.hpp"

namespace apps {

struct Figure {
  std::string name;  // of its files
  std::string title;
  std::string about;   // a sentence that explains it
  std::string script;  // empty: the run has nothing to show there
  ImageSize size;
};

// All figures there are, in the order of a page.
[[nodiscard]] std::vector<Figure> figures_of(const RunData& run);

}  // namespace apps
