#include "apps/report/life_story.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace apps {
namespace {

using testing::SizeIs;

TEST(LifeStory, SpreadsAnAmountEvenlyOverItsTime) {
  LifeStory story(1);
  story.add(0.5, 2.5, {.tasks = 8});
  ASSERT_THAT(story.bins(), SizeIs(3));
  EXPECT_DOUBLE_EQ(story.bins()[0].tasks, 2);
  EXPECT_DOUBLE_EQ(story.bins()[1].tasks, 4);
  EXPECT_DOUBLE_EQ(story.bins()[2].tasks, 2);
}

TEST(LifeStory, MomentFallsIntoOneBin) {
  LifeStory story(1);
  story.add(1, 1, {.tasks = 8});
  ASSERT_THAT(story.bins(), SizeIs(2));
  EXPECT_DOUBLE_EQ(story.bins()[1].tasks, 8);
}

TEST(LifeStory, RoundingMakesNoBinOfItsOwn) {
  LifeStory story(0.1);
  for (int i = 0; i < 1000; ++i) story.add(0.1 * i, 0.1 * i + 0.1, {.tasks = 1});
  EXPECT_THAT(story.bins(), SizeIs(1000));
}

TEST(LifeStory, NothingIsBeforeTheStart) {
  LifeStory story(1);
  story.add(-2, -1, {.tasks = 3});
  ASSERT_THAT(story.bins(), SizeIs(1));
  EXPECT_DOUBLE_EQ(story.bins()[0].tasks, 3);
}

TEST(LifeStory, LongRunsHaveWiderBinsAndLoseNothing) {
  LifeStory story(1);
  constexpr int kSeconds = 5000;
  for (int i = 0; i < kSeconds; ++i) {
    story.add(i, i + 1, {.seconds = {1, 0, 0, 0, 2}, .tasks = 3});
  }
  EXPECT_DOUBLE_EQ(story.bin_seconds(), 8);
  EXPECT_THAT(story.bins(), SizeIs(kSeconds / 8));
  for (const LifeStory::Bin& bin : story.bins()) {
    EXPECT_DOUBLE_EQ(bin.tasks, 24);
    EXPECT_DOUBLE_EQ(bin.seconds[4], 16);
  }
}

}  // namespace
}  // namespace apps
