// AliasTable: numbers by any law with finitely many values, in constant time: Walker's alias method
// (1977, 10.1145/355744.355749), its table made as by Vose (1991, 10.1109/32.92917).
//
// n cells of equal chance; each holds one number of its own and fills up with a part of another
// one's chance. A random number of 64 bits says which cell, and which of its two. Boost's
// discrete_distribution does the same with two divisions and three times the memory, which takes
// most of the time of whoever draws little else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace apps {

class AliasTable {
 public:
  AliasTable() = default;

  // The chances of 0, 1, ..., each >= 0, up to a common factor: fewer than 2^32, not all 0. They
  // come out right up to 2^-32.
  explicit AliasTable(std::vector<double> chances) : cells_(chances.size()) {
    const double scale =
        static_cast<double>(chances.size()) / std::accumulate(chances.begin(), chances.end(), 0.0);
    std::vector<std::uint32_t> low;
    std::vector<std::uint32_t> high;
    for (std::uint32_t number = 0; number < chances.size(); ++number) {
      chances[number] *= scale;
      (chances[number] < 1 ? low : high).push_back(number);
      cells_[number].other = number;
    }
    while (!low.empty() && !high.empty()) {
      const std::uint32_t number = low.back();
      low.pop_back();
      const std::uint32_t other = high.back();
      cells_[number] = {.own = static_cast<std::uint32_t>(chances[number] * 0x1p32),
                        .other = other};
      chances[other] -= 1 - chances[number];
      if (chances[other] < 1) {
        high.pop_back();
        low.push_back(other);
      }
    }
  }

  // A number, from 64 random bits.
  [[nodiscard]] std::uint32_t operator()(std::uint64_t bits) const noexcept {
    const auto number = static_cast<std::uint32_t>(((bits >> 32U) * cells_.size()) >> 32U);
    const Cell& cell = cells_[number];
    // Half of all branches here would be taken, at random.
    const bool is_other = static_cast<std::uint32_t>(bits) >= cell.own;
    return number + static_cast<std::uint32_t>(is_other) * (cell.other - number);
  }

 private:
  struct Cell {
    std::uint32_t own = 0;  // the chance of its own number, in 2^-32
    std::uint32_t other = 0;
  };

  std::vector<Cell> cells_;
};

}  // namespace apps
