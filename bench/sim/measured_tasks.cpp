#include "bench/sim/measured_tasks.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "apps/common/printable.hpp"
#include "bench/sim/machine_costs.hpp"

namespace bench {

std::vector<double> read_lengths(const std::string& file) {
  const std::string shown = apps::printable(file, std::string::npos);
  std::ifstream stream(file);
  std::vector<double> lengths;
  for (double length = 0; stream >> length;) {
    if (!(length >= 0 && length <= kLongestTask)) {
      std::ostringstream text;
      text << shown << ": length " << length << ", allowed: 0 to " << kLongestTask;
      throw std::invalid_argument(text.str());
    }
    lengths.push_back(length);
  }
  if (lengths.empty() || !stream.eof()) {
    throw std::invalid_argument(shown + ": cannot be read as numbers");
  }
  return lengths;
}

}  // namespace bench
