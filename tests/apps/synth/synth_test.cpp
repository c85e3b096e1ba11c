#include "apps/synth/synth.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <set>
#include <vector>

#include "belay/core/problem.hpp"

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
  for (; bag.size() > 0; bag.drop_first()) tasks.insert(bag.first());
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
  half.pack(packer);
  const auto bytes = packer.take();
  belay::Unpacker unpacker(bytes);
  IntervalBag arrived = IntervalBag::unpack(unpacker);
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
