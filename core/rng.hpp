// Rng: the random numbers of scheduling decisions (whom to rob first), never of results.
//
// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014, 10.1145/2660193.2660195): eight bytes of
// state, so that a simulation of millions of workers can afford one each; any seed is a good
// seed. One thread per object.
#pragma once

#include <cstdint>

namespace belay {

// A stream of numbers, determined by seed and index.
class Rng {
 public:
  // Any seed will do.
  explicit Rng(std::uint64_t seed) noexcept : state_(seed) {}

  // An independent stream for the index-th user of one seed.
  Rng(std::uint64_t seed, std::uint64_t index) noexcept : state_(seed) {
    state_ = next() ^ (index * 0x9e3779b97f4a7c15U);
    state_ = next();
  }

  // Uniform on all 64-bit numbers.
  std::uint64_t next() noexcept {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  // Uniform on [0, bound), bound > 0. The high bits scaled; the bias is below bound / 2^32.
  std::uint32_t below(std::uint32_t bound) noexcept {
    return static_cast<std::uint32_t>(((next() >> 32U) * bound) >> 32U);
  }

 private:
  std::uint64_t state_;
};

}  // namespace belay
