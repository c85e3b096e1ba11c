#include "belay/core/share.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>

namespace belay::test {
namespace {

TEST(Share, GiverKeepsAtLeastOneTask) {
  for (const Share share : {Share::half(), Share::tasks(1), Share::tasks(3), Share::tasks(1000)}) {
    EXPECT_EQ(share.of(0), 0U);
    EXPECT_EQ(share.of(1), 0U);
    for (std::size_t available = 2; available < 200; ++available) {
      EXPECT_GE(share.of(available), 1U) << available;
      EXPECT_LT(share.of(available), available);
    }
  }
}

TEST(Share, HalfIsRoundedDown) {
  EXPECT_EQ(Share::half().of(2), 1U);
  EXPECT_EQ(Share::half().of(3), 1U);
  EXPECT_EQ(Share::half().of(4), 2U);
  EXPECT_EQ(Share::half().of(101), 50U);
}

TEST(Share, FixedNumberGoesAsFarAsItCan) {
  EXPECT_EQ(Share::tasks(7).of(100), 7U);
  EXPECT_EQ(Share::tasks(7).of(8), 7U);
  EXPECT_EQ(Share::tasks(7).of(7), 6U);
  EXPECT_EQ(Share::tasks(7).of(2), 1U);
}

TEST(Share, ZeroTasksMeansHalf) {
  EXPECT_TRUE(Share::tasks(0).is_half());
  EXPECT_TRUE(Share::half().is_half());
  EXPECT_FALSE(Share::tasks(1).is_half());
  EXPECT_EQ(Share::tasks(0).of(10), 5U);
}

TEST(Share, LargestNumbersDoNotOverflow) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(Share::half().of(kMost), kMost / 2);
  EXPECT_EQ(Share::tasks(kMost).of(kMost), kMost - 1);
  EXPECT_EQ(Share::tasks(kMost).of(2), 1U);
}

static_assert(Share::half().of(10) == 5, "usable in constant expressions");

}  // namespace
}  // namespace belay::test
