// R-MAT: random graphs with few vertices of high degree and many of low.
//
// Each edge falls into one of the four quarters of the adjacency matrix, with probabilities
// a = 0.55, b = c = 0.1 and d = 0.25, then into a quarter of that quarter, and so on down to a
// single entry. From the second choice on, each of the four is first multiplied by a random factor
// from 0.95 to 1.05, which adds up on the way down, and their sum is taken as 1. At last
// the vertices are permuted at random.
//
// Sources: Chakrabarti, Zhan and Faloutsos, SDM 2004, 10.1137/1.9781611972740.43; parameters, noise
// and permutation as in the benchmark HPCS SSCA#2 v2.2 (2007), whose graphs are directed
// multigraphs. Direction and multiplicity are up to the options; self-loops are dropped, as the
// benchmark allows.
#pragma once

#include <cstdint>

#include "apps/bc/graph.hpp"

namespace apps {

struct RmatParameters {
  std::uint64_t scale = 10;       // 2^scale vertices, from 0 to 31
  std::uint64_t edge_factor = 8;  // drawn edges per vertex, loops included; from 0 to 2^20
  std::uint64_t seed = 1;
};

// Labels count from 0. The same graph for the same parameters, whatever the number of oneTBB's
// threads. Throws std::invalid_argument with the value and what is allowed.
[[nodiscard]] Graph make_rmat(const RmatParameters& parameters, GraphOptions options);

}  // namespace apps
