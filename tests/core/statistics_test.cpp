#include "belay/core/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace belay::test {
namespace {

RankStatistics rank_with(std::initializer_list<std::uint64_t> tasks) {
  RankStatistics rank;
  for (const std::uint64_t count : tasks) {
    rank.workers.emplace_back();
    rank.workers.back().tasks = count;
  }
  return rank;
}

TEST(Statistics, TasksOfARankAreThoseOfItsWorkers) {
  EXPECT_EQ(rank_with({}).tasks(), 0U);
  EXPECT_EQ(rank_with({1, 20, 300}).tasks(), 321U);
}

TEST(Statistics, TasksOfARunAreThoseOfItsRanks) {
  Statistics statistics;
  EXPECT_EQ(statistics.tasks(), 0U);
  statistics.ranks = {rank_with({1, 2}), rank_with({}), rank_with({4})};
  EXPECT_EQ(statistics.tasks(), 7U);
}

TEST(Statistics, SumsAreNotCutTo32Bits) {
  const std::uint64_t many = std::uint64_t{1} << 40U;
  Statistics statistics;
  statistics.ranks = {rank_with({many, many}), rank_with({many})};
  EXPECT_EQ(statistics.tasks(), 3 * many);
}

TEST(Statistics, CountingStartsAtZero) {
  const RequestStatistics requests;
  for (const PerKind& counts :
       {requests.requests, requests.loot, requests.private_work, requests.no_work}) {
    EXPECT_EQ(std::count(counts.begin(), counts.end(), 0U),
              static_cast<std::ptrdiff_t>(kRequestKinds));
  }
}

}  // namespace
}  // namespace belay::test
