// Every memory order of a node's headers that is not relaxed, and why it is not weaker.
//
// The first table is shown by the model: with the order weakened as it says, a scenario that
// holds otherwise does not. The second one is beyond the model, in which threads run one after
// the other: a load never reads what is stored later (LB), and the order in which stores and
// seq_cst accesses are executed is the only one they have (S, RWC). Each row rests on the named
// litmus test, which the C++ memory model would allow with the weaker order.
//
// Litmus tests:
//
//     SB   two threads store, then look: neither sees the other's store
//     MP   a thread sees another's second store, but not the first
//     LB   two threads look, then store: each sees the other's store
//     S    a thread sees another's second store, then stores over the first and comes before it
//     RWC  a thread sees a store, but not the store of a third one that has not seen it
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "tests/intra/model/barrier_scenarios.hpp"
#include "tests/intra/model/deque_scenarios.hpp"
#include "tests/intra/model/node_scenarios.hpp"

namespace belay::model {
namespace {

using enum std::memory_order;

struct Weakening {
  const char* tag;
  std::memory_order to;
  const char* litmus;
  Outcome (*explore)(const Search&);
  const char* why;
};

const Weakening kCaught[] = {
    {"deque.push", relaxed, "MP", &explore<DequeScenario<Growth<2>>>,
     "a thief sees an item before its content"},
    {"deque.push", release, "SB", &explore<PublishAndSleep<1>>,
     "the publisher sees no sleeper, who has seen no chunk"},
    {"deque.reserve", release, "SB", &explore<DequeScenario<NewerOfTwo>>,
     "the owner takes an item that a thief, who still sees it below bottom, claims"},
    {"deque.check", acquire, "SB", &explore<DequeScenario<NewerOfTwo>>,
     "the owner takes an item that a thief has claimed, since it sees an old top"},
    {"deque.look", relaxed, "MP", &explore<DequeScenario<Growth<2>>>,
     "a thief sees an item before its content"},
    {"deque.look", acquire, "SB", &explore<DequeScenario<NewerOfTwo>>,
     "a thief claims an item that the owner has taken, since it sees an old bottom"},
    {"deque.ring", relaxed, "MP", &explore<DequeScenario<Growth<2>>>,
     "a thief sees a new ring before its slots"},
    {"deque.grow", relaxed, "MP", &explore<DequeScenario<Growth<2>>>,
     "a thief sees a new ring before its slots"},
    {"deque.claim", acquire, "MP", &explore<WholeRun<1>>,
     "who sees a chunk gone counts its thief among the waiting"},
    {"deque.claim", acq_rel, "SB", &explore<DequeScenario<NewerOfTwo>>,
     "the owner takes an item that a thief has claimed, since it sees an old top"},
    {"deque.size", acquire, "SB", &explore<PublishAndSleep<1>>,
     "a sleeper sees no chunk, whose publisher has seen no sleeper"},
    {"deque.gone", relaxed, "MP", &explore<IdleVerdict<1>>,
     "who sees a chunk gone counts its thief among the waiting"},

    {"barrier.announce", acquire, "MP", &explore<IdleVerdict<1>>,
     "who counts a worker among the waiting does not see what it did"},
    {"barrier.announce", acq_rel, "SB", &explore<PublishAndSleep<1>>,
     "a sleeper sees no chunk, whose publisher has seen no sleeper"},
    {"barrier.sleepers", acquire, "SB", &explore<PublishAndSleep<1>>,
     "the publisher sees no sleeper, who has seen no chunk"},
    {"barrier.ticket", relaxed, "MP", &explore<End<1>>,
     "a worker sees the call before the end that it was for, and sleeps"},
    {"barrier.call", relaxed, "MP", &explore<End<1>>,
     "a worker sees the call before the end that it was for, and sleeps"},
    {"barrier.end", relaxed, "MP", &explore<End<1>>, "a worker does not see what led to the end"},
    {"barrier.ended", relaxed, "MP", &explore<End<1>>, "a worker does not see what led to the end"},
    {"barrier.count", relaxed, "MP", &explore<IdleVerdict<1>>,
     "who counts a worker among the waiting does not see what it did"},

    {"doorbell.ring", relaxed, "MP", &explore<Rings<1>>,
     "the communication thread hears a ring and does not see what it was for"},
    {"doorbell.answer", relaxed, "MP", &explore<Rings<1>>,
     "the communication thread hears a ring and does not see what it was for"},

    {"node.want", release, "SB", &explore<SurplusWanted>,
     "the communication thread sees no surplus, whose publisher sees nobody who wants it"},
    {"node.wanted", acquire, "SB", &explore<SurplusWanted>,
     "the publisher sees nobody who wants surplus, who has seen none"},

    {"worker.hunger", acq_rel, "SB", &explore<SleepBesideABusyWorker>,
     "a hungry worker sees a raised flag, whose owner lowers it and sees no hunger"},
    {"worker.raised", acquire, "SB", &explore<SleepBesideABusyWorker>,
     "a hungry worker sees a raised flag, whose owner lowers it and sees no hunger"},
    {"worker.hear", acquire, "SB", &explore<SleepBesideABusyWorker>,
     "a busy worker lowers its flag and sees no hunger, whose owner sees the flag raised"},
    {"worker.respond", acquire, "SB", &explore<SleepBesideABusyWorker>,
     "a busy worker lowers its flag and sees no hunger, whose owner sees the flag raised"},
    {"worker.end", relaxed, "MP", &explore<EndBetweenTasks>,
     "a worker lowers the flag that was raised for the end and goes on"},
    {"worker.respond", relaxed, "MP", &explore<EndBetweenTasks>,
     "a worker lowers the flag that was raised for the end and goes on"},
};

const Weakening kBeyondTheModel[] = {
    {"deque.room", relaxed, "LB", &explore<DequeScenario<Reuse>>,
     "a thief would read the slot of the item that it claims after the owner, who sees the claim, "
     "has used it again"},
    {"deque.oldest", acquire, "RWC", &explore<DequeScenario<NewerOfTwo>>,
     "a thief that sees another's claim would see an older bottom than the owner, who does not "
     "see that claim, has reserved"},
    {"deque.last", acquire, "RWC", &explore<DequeScenario<Reuse>>,
     "a thief that sees the owner's claim of its last item would see an older bottom than the "
     "owner has reserved"},
    {"deque.none", relaxed, "S", &explore<WholeRun<2>>,
     "an owner would announce that it waits before the thief that emptied its deque has left "
     "the barrier"},
    {"deque.lost", relaxed, "S", &explore<WholeRun<2>>,
     "an owner would announce that it waits before the thief that emptied its deque has left "
     "the barrier"},
};

void PrintTo(const Weakening& weakening, std::ostream* out) {
  *out << weakening.litmus << ": " << weakening.why;
}

std::string name_of(const testing::TestParamInfo<Weakening>& info) {
  std::string name =
      std::string(info.param.tag) + "_" + rl::format(static_cast<rl::memory_order>(info.param.to));
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

class MemoryOrder : public testing::TestWithParam<Weakening> {
 protected:
  MemoryOrder() { orders().weaken(GetParam().tag, GetParam().to); }
  ~MemoryOrder() override { orders().restore(); }
};

class WeakenedOrder : public MemoryOrder {};
TEST_P(WeakenedOrder, IsCaught) {
  const Outcome outcome = GetParam().explore(Search::random(500'000));
  EXPECT_TRUE(outcome.failed());
  std::cout << outcome.name() << " in execution " << outcome.executions << std::endl;
}
INSTANTIATE_TEST_SUITE_P(Headers, WeakenedOrder, testing::ValuesIn(kCaught), &name_of);

// If one of these fails, the model has learnt to see it: it belongs into the other table.
class UnseenOrder : public MemoryOrder {};
TEST_P(UnseenOrder, IsBeyondTheModel) {
  const Outcome outcome = GetParam().explore(Search::random(20'000));
  EXPECT_FALSE(outcome.failed()) << outcome.name() << " in execution " << outcome.executions;
  EXPECT_TRUE(orders().met(GetParam().tag));
}
INSTANTIATE_TEST_SUITE_P(Headers, UnseenOrder, testing::ValuesIn(kBeyondTheModel), &name_of);

std::vector<Weakening> listed() {
  std::vector<Weakening> all(std::begin(kCaught), std::end(kCaught));
  all.insert(all.end(), std::begin(kBeyondTheModel), std::end(kBeyondTheModel));
  return all;
}

// No order is left out, and a seq_cst one was tried with more than relaxed.
TEST(MemoryOrders, AreAllInTheTables) {
  std::set<std::string> expected;
  for (const Access& access : orders().accesses()) {
    if (access.stated != relaxed) expected.insert(access.tag);
  }
  std::set<std::string> found;
  for (const Weakening& weakening : listed()) {
    if (weakening.to != relaxed || orders().stated(weakening.tag) != seq_cst) {
      found.insert(weakening.tag);
    }
  }
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace belay::model
