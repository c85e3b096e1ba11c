// RandomVictims: any rank but the own one, each as likely; a stream for each seed and rank.
//
// One thread per object.
#pragma once

#include <cstdint>

#include "belay/core/rng.hpp"

namespace belay {

class RandomVictims {
 public:
  RandomVictims(int rank, int size, std::uint64_t seed)
      : rank_(rank), size_(size), rng_(seed, static_cast<std::uint64_t>(rank)) {}

  // Of two ranks at least.
  [[nodiscard]] int next() {
    const auto others = static_cast<std::uint32_t>(size_ - 1);
    return (rank_ + 1 + static_cast<int>(rng_.below(others))) % size_;
  }

 private:
  int rank_;
  int size_;
  Rng rng_;
};

}  // namespace belay
