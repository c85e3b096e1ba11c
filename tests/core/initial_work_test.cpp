#include "belay/core/initial_work.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace belay::test {
namespace {

TEST(InitialWork, SaysByItsTypeWhereTheWorkIs) {
  static_assert(std::is_same_v<decltype(at_root(1)), AtRoot<int>>);
  static_assert(std::is_same_v<decltype(on_each_rank(1)), OnEachRank<int>>);
  EXPECT_EQ(at_root(40).work, 40);
  EXPECT_EQ(on_each_rank(41).work, 41);
}

TEST(InitialWork, CopiesWhatItIsShown) {
  const std::vector<int> tasks{1, 2};
  static_assert(std::is_same_v<decltype(at_root(tasks)), AtRoot<std::vector<int>>>);
  EXPECT_EQ(at_root(tasks).work, tasks);
  EXPECT_EQ(tasks.size(), 2U);
}

TEST(InitialWork, MovesWhatItIsGiven) {
  auto task = std::make_unique<int>(5);
  EXPECT_EQ(*at_root(std::move(task)).work, 5);
  EXPECT_EQ(*on_each_rank(std::make_unique<int>(6)).work, 6);
}

}  // namespace
}  // namespace belay::test
