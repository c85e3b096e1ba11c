#include "belay/intra/short_slice.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace belay::test {
namespace {

// Which kernels take notice differs; none may change anything else.
TEST(ShortSlice, LeavesPolicyAndPriorityAsTheyWere) {
  std::thread([] {
    const int policy = sched_getscheduler(0);
    {
      const ShortSlice prompt;
      EXPECT_EQ(sched_getscheduler(0), policy);
    }
    EXPECT_EQ(sched_getscheduler(0), policy);
  }).join();
}

TEST(ShortSlice, DoesNothingToAThreadOfAnotherPolicy) {
  std::thread([] {
    sched_param parameter{};
    ASSERT_EQ(sched_setscheduler(0, SCHED_IDLE, &parameter), 0);
    {
      const ShortSlice prompt;
      EXPECT_EQ(sched_getscheduler(0), SCHED_IDLE);
    }
    EXPECT_EQ(sched_getscheduler(0), SCHED_IDLE);
  }).join();
}

}  // namespace
}  // namespace belay::test
