#include "belay/core/parameters.hpp"

#include <stdexcept>
#include <string>

namespace belay {

namespace {

void require(bool in_range, const char* name, long long value, const char* range) {
  if (!in_range) {
    throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) +
                                ", allowed: " + range);
  }
}

}  // namespace

void Parameters::validate() const {
  require(threads >= 0 && threads <= 4096, "threads", threads, "1 to 4096, or 0 for one per core");
  require(random_steals >= 0 && random_steals <= 1'000'000, "random_steals", random_steals,
          "0 to 1000000");
  require(policy != PolicyKind::random || random_steals >= 1, "random_steals", random_steals,
          "1 to 1000000 with policy random");
  require(lifelines >= 1 && lifelines <= 64, "lifelines", lifelines, "1 to 64");
  require(chunks_shown >= 1 && chunks_shown <= 1024, "chunks_shown", chunks_shown, "1 to 1024");
}

}  // namespace belay
