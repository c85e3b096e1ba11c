#include "belay/core/thresholds.hpp"

#include <gtest/gtest.h>

namespace belay::test {
namespace {

TEST(Outgrown, IsWhatTheBagExceedsFourTimesAndAllInAll) {
  EXPECT_FALSE(outgrown(8, 12, 31));
  EXPECT_TRUE(outgrown(8, 12, 32));
  EXPECT_FALSE(outgrown(5, 70, 71)) << "the others are large";
  EXPECT_TRUE(outgrown(5, 70, 72));
  EXPECT_FALSE(outgrown(0, 0, 1)) << "of one task there is no half";
}

TEST(FewTasks, AreFewUntilThereAreTwiceAsMany) {
  EXPECT_FALSE(few_changes(false, 40, 40));
  EXPECT_TRUE(few_changes(false, 39, 40));
  EXPECT_FALSE(few_changes(true, 79, 40));
  EXPECT_TRUE(few_changes(true, 80, 40));
}

}  // namespace
}  // namespace belay::test
