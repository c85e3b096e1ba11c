#include "apps/bpc/bpc.hpp"

#include <gtest/gtest.h>

#include "tests/apps/run_tasks.hpp"

namespace apps {
namespace {

static_assert(belay::TaskFunction<Bpc>);

TEST(Bpc, AChainOfProducersHasItsConsumers) {
  for (const std::uint32_t consumers : {0U, 1U, 9U}) {
    for (const std::uint32_t depth : {1U, 2U, 100U}) {
      const Bpc bpc{.consumers = consumers};
      const auto ran = run_tasks(bpc, {depth});
      EXPECT_EQ(ran.result, (BpcResult{depth, depth * consumers}));
      EXPECT_EQ(ran.result, bpc.expected(depth));
      EXPECT_EQ(ran.tasks, depth * (1 + consumers));
    }
  }
}

TEST(Bpc, AThiefGetsTheProducer) {
  const Bpc bpc{.consumers = 4};
  belay::TaskStack<Bpc::Task> bag;
  belay::Spawn<Bpc::Task> spawn(bag);
  BpcResult result;
  bpc(7, spawn, result);
  const auto loot = belay::split_stack(bag, belay::Share::tasks(1));
  EXPECT_EQ(loot, belay::TaskStack<Bpc::Task>{6});
  EXPECT_EQ(bag, (belay::TaskStack<Bpc::Task>{0, 0, 0, 0}));
}

TEST(Bpc, ClosedFormDoesNotOverflow) {
  EXPECT_EQ(Bpc{.consumers = 1'000'000}.expected(1'000'000'000).consumers, 1'000'000'000'000'000U);
}

}  // namespace
}  // namespace apps
