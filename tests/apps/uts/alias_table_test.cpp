#include "apps/uts/alias_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace apps {
namespace {

// The chance of each number, counted over all 2^64 random numbers but for rounding: each cell's low
// half says its own number up to some bound, and the other one from there on.
std::vector<double> chances_of(const AliasTable& table, std::size_t size) {
  std::vector<double> chances(size);
  for (std::uint64_t cell = 0; cell < size; ++cell) {
    const std::uint64_t high = ((cell << 32U) + size - 1) / size << 32U;
    const std::uint32_t other = table(high | 0xffffffffU);
    std::uint64_t bound = 0;
    for (std::uint64_t step = std::uint64_t{1} << 31U; step > 0; step /= 2) {
      if (table(high | (bound + step - 1)) != other) bound += step;
    }
    const double own = static_cast<double>(bound) * 0x1p-32;
    chances[table(high)] += own / static_cast<double>(size);
    chances[other] += (1 - own) / static_cast<double>(size);
  }
  return chances;
}

TEST(AliasTable, GivesEachNumberItsChance) {
  std::vector<std::vector<double>> laws{{1}, {0, 5}, {0.25, 0.25, 0.25, 0.25}, {0, 0, 1, 0, 3}};
  laws.emplace_back();
  for (double chance = 0.5; chance > 1e-12; chance *= 0.9) laws.back().push_back(chance);
  laws.emplace_back(3000, 0.1);
  laws.back()[17] = 1e6;
  for (const auto& law : laws) {
    const double total = std::accumulate(law.begin(), law.end(), 0.0);
    const std::vector<double> chances = chances_of(AliasTable(law), law.size());
    for (std::size_t number = 0; number < law.size(); ++number) {
      ASSERT_NEAR(chances[number], law[number] / total, 0x1p-32) << number;
      if (law[number] == 0) {
        ASSERT_EQ(chances[number], 0.0) << number;
      }
    }
  }
}

}  // namespace
}  // namespace apps
