#include "apps/synth/synth.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <set>
#include <vector>

#include "belay/core/problem.hpp"
#include "belay/core/rng.hpp"

namespace apps {
namespace {

static_assert(belay::Problem<Synth>);

const Synth kSynth({}, Work::none);

SynthResult process(IntervalBag& bag, std::uint32_t quantum_length) {
  const std::atomic<bool> nobody_waits{false};
  belay::Quantum quantum(nobody_waits, quantum_length);
  SynthResult result;
  kSynth.process(bag, result, quantum);
  return result;
}

void take_all(IntervalBag& bag, std::multiset<std::uint64_t>& tasks) {
  while (bag.size() > 0) tasks.insert(bag.take());
}

TEST(IntervalBag, AnySplitsAndMergesKeepEachTaskOnce) {
  belay::Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    const std::uint64_t count = 1 + rng.below(60);
    std::vector<IntervalBag> bags(3);
    bags[0].add({0, count});
    for (int step = 0; step < 20; ++step) {
      IntervalBag& from = bags[rng.below(3)];
      const std::size_t before = from.size();
      const std::size_t wanted = before < 2 ? 0 : rng.below(static_cast<std::uint32_t>(before));
      IntervalBag part = from.split(wanted);
      ASSERT_EQ(part.size(), wanted);
      ASSERT_EQ(from.size(), before - wanted);
      kSynth.merge(bags[rng.below(3)], std::move(part));
    }
    std::multiset<std::uint64_t> tasks;
    for (IntervalBag& bag : bags) take_all(bag, tasks);
    std::multiset<std::uint64_t> all;
    for (std::uint64_t i = 0; i < count; ++i) all.insert(i);
    ASSERT_EQ(tasks, all) << "round " << round;
  }
}

TEST(IntervalBag, ThievesGetTheEndAndTheWorkerGoesOnAtTheBeginning) {
  IntervalBag bag(Interval{10, 20});
  EXPECT_EQ(bag.take(), 10U);
  IntervalBag loot = bag.split(3);
  EXPECT_EQ(loot.take(), 17U);
  EXPECT_EQ(bag.take(), 11U);
}

TEST(Synth, RunsEachTaskOnceAndAddsItsLength) {
  IntervalBag bag(Interval{0, 1000});
  const SynthResult first = process(bag, 300);
  EXPECT_EQ(first.tasks, 300U);
  EXPECT_EQ(bag.size(), 700U);
  SynthResult all = process(bag, 1000);
  Synth::reduce(all, SynthResult(first));
  EXPECT_EQ(all, kSynth.sum_sequentially(1000));
  EXPECT_GT(all.length_ns, 0U);
}

TEST(Synth, AThiefGetsHalfAndABagTravels) {
  IntervalBag bag(Interval{0, 101});
  IntervalBag half = kSynth.split(bag, belay::Share::half());
  EXPECT_EQ(half.size(), 50U);
  kSynth.merge(half, IntervalBag(Interval{500, 510}));
  belay::Packer packer;
  kSynth.pack(half, packer);
  const auto bytes = packer.take();
  belay::Unpacker unpacker(bytes);
  IntervalBag arrived = kSynth.unpack(unpacker);
  EXPECT_EQ(arrived.size(), 60U);
  std::multiset<std::uint64_t> sent;
  std::multiset<std::uint64_t> received;
  take_all(half, sent);
  take_all(arrived, received);
  EXPECT_EQ(sent, received);
}

TEST(Synth, EmptyBagsAreNothing) {
  IntervalBag bag(Interval{5, 5});
  EXPECT_EQ(bag.size(), 0U);
  EXPECT_EQ(process(bag, 10), SynthResult{});
  EXPECT_EQ(kSynth.split(bag, belay::Share::half()).size(), 0U);
  EXPECT_EQ(kSynth.sum_sequentially(0), SynthResult{});
}

}  // namespace
}  // namespace apps
