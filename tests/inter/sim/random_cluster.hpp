// A whole simulated cluster, its work and its mishaps, drawn from one seed. The tests and
// belay-simulate draw and check the same, so that a seed means the same to both.
#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

#include "belay/inter/sim/simulation_options.hpp"
#include "tests/inter/sim/random_tree.hpp"

namespace belay::sim {

struct RandomCluster {
  explicit RandomCluster(std::uint64_t seed);

  SimulationOptions options;
  std::vector<Tree::Bag> initial;  // by rank
};

// Runs the cluster of the seed with all checks: once without mishaps and, for two seeds of
// three, once more with some, at moments that the first run makes interesting. Throws
// std::logic_error whose text begins with the seed. log: where the events go, if wanted.
// Returns how many events there were.
std::uint64_t check_seed(std::uint64_t seed, std::ostream* log = nullptr);

}  // namespace belay::sim
