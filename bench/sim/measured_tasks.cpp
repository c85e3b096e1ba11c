#include "bench/sim/measured_tasks.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace bench {

std::vector<double> read_lengths(const std::string& file) {
  constexpr double kLongest = 1e12;  // as the costs
  std::ifstream stream(file);
  std::vector<double> lengths;
  for (double length = 0; stream >> length;) {
    if (!(length >= 0 && length <= kLongest)) {
      std::ostringstream text;
      text << file << ": length " << length << ", allowed: 0 to " << kLongest;
      throw std::invalid_argument(text.str());
    }
    lengths.push_back(length);
  }
  if (lengths.empty() || !stream.eof()) {
    throw std::invalid_argument(file + ": cannot be read as numbers");
  }
  return lengths;
}

}  // namespace bench
