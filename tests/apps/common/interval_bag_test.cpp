#include "apps/common/interval_bag.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <vector>

#include "belay/core/packing.hpp"
#include "belay/core/rng.hpp"

namespace apps {
namespace {

std::multiset<std::uint64_t> numbers_of(IntervalBag bag) {
  std::multiset<std::uint64_t> numbers;
  for (; bag.size() > 0; bag.drop_first()) numbers.insert(bag.first());
  return numbers;
}

TEST(IntervalBag, WhateverIsDoneKeepsEachNumberOnceAndTheFirstOneWhereItIs) {
  belay::Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    const std::uint64_t count = 1 + rng.below(60);
    std::vector<IntervalBag> bags(3);
    bags[0] = IntervalBag(Interval{0, count});
    for (int step = 0; step < 20; ++step) {
      IntervalBag& from = bags[rng.below(3)];
      const std::size_t before = from.size();
      const std::size_t wanted = before < 2 ? 0 : rng.below(static_cast<std::uint32_t>(before));
      const std::uint64_t first = before > 0 ? from.first() : 0;
      IntervalBag part = from.split(wanted);
      ASSERT_EQ(part.size(), wanted);
      ASSERT_EQ(from.size(), before - wanted);
      if (before > 0) {
        ASSERT_EQ(from.first(), first);
      }
      belay::Packer packer;
      part.pack(packer);
      const auto bytes = packer.take();
      belay::Unpacker unpacker(bytes);
      IntervalBag& into = bags[rng.below(3)];
      const bool had_some = into.size() > 0;
      const std::uint64_t its_first = had_some ? into.first() : 0;
      into.merge(IntervalBag::unpack(unpacker));
      if (had_some) {
        ASSERT_EQ(into.first(), its_first);
      }
    }
    IntervalBag all;
    for (const IntervalBag& bag : bags) all.merge(bag);
    ASSERT_EQ(all.size(), count);
    std::multiset<std::uint64_t> expected;
    for (std::uint64_t i = 0; i < count; ++i) expected.insert(i);
    ASSERT_EQ(numbers_of(all), expected) << "round " << round;
  }
}

TEST(IntervalBag, ThievesGetTheEndAndTheWorkerGoesOnAtTheBeginning) {
  IntervalBag bag(Interval{10, 20});
  bag.drop_first();
  const IntervalBag loot = bag.split(3);
  EXPECT_EQ(numbers_of(loot), (std::multiset<std::uint64_t>{17, 18, 19}));
  EXPECT_EQ(bag.first(), 11U);
  EXPECT_EQ(IntervalBag(Interval{5, 5}).size(), 0U);
}

TEST(IntervalBag, RanksHaveEqualParts) {
  std::uint64_t begin = 0;
  for (int rank = 0; rank < 4; ++rank) {
    const Interval part = part_of_rank(10, rank, 4);
    EXPECT_EQ(part.begin, begin);
    EXPECT_GE(part.size(), 2U);
    EXPECT_LE(part.size(), 3U);
    begin = part.end;
  }
  EXPECT_EQ(begin, 10U);
}

}  // namespace
}  // namespace apps
