#include "belay/intra/cores.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace belay::test {
namespace {

using testing::ElementsAre;

std::set<int> affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  std::set<int> units;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(static_cast<unsigned>(i), &set)) units.insert(i);
  }
  return units;
}

// Restricts all threads of this process while it lives, as a launcher would have done before
// it began.
class Restricted {
 public:
  explicit Restricted(const std::set<int>& units) : before_(affinity()) { apply(units); }
  ~Restricted() { apply(before_); }
  Restricted(const Restricted&) = delete;
  Restricted& operator=(const Restricted&) = delete;

 private:
  static void apply(const std::set<int>& units) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int unit : units) CPU_SET(static_cast<unsigned>(unit), &set);
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
      sched_setaffinity(std::stoi(entry.path().filename().string()), sizeof(set), &set);
    }
  }

  std::set<int> before_;
};

// The processing units on which worker `worker` of `workers` ends up, or none when it was not
// bound.
std::set<int> bound_units(const Cores& cores, int worker, int workers) {
  std::set<int> units;
  std::thread([&] {
    const auto before = affinity();
    if (cores.bind(worker, workers)) {
      units = affinity();
    } else {
      EXPECT_EQ(affinity(), before) << "refused, and yet changed";
    }
  }).join();
  return units;
}

TEST(Cores, ThereIsAtLeastOne) {
  const Cores cores;
  EXPECT_GE(cores.count(), 1);
  EXPECT_NE(cores.allowed(), "");
}

TEST(Cores, AreNoMoreThanTheProcessWasGiven) {
  EXPECT_LE(static_cast<std::size_t>(Cores().count()), affinity().size());
}

TEST(Cores, ProcessBoundToOneUnitHasOneCore) {
  const int unit = *affinity().rbegin();
  const Restricted restricted({unit});
  Cores cores;
  EXPECT_EQ(cores.allowed(), std::to_string(unit));
  EXPECT_EQ(cores.count(), 1);
  EXPECT_THAT(bound_units(cores, 0, 1), ElementsAre(unit));
  EXPECT_THAT(bound_units(cores, 0, 2), ElementsAre());
}

TEST(Cores, EachWorkerGetsAUnitOfItsOwn) {
  const Cores cores;
  const auto allowed = affinity();
  const int workers = cores.count();
  std::set<int> taken;
  for (int worker = 0; worker < workers; ++worker) {
    const auto units = bound_units(cores, worker, workers);
    ASSERT_EQ(units.size(), 1U) << "worker " << worker;
    EXPECT_TRUE(allowed.contains(*units.begin()));
    EXPECT_TRUE(taken.insert(*units.begin()).second) << "worker " << worker;
  }
}

TEST(Cores, NobodyIsBoundWhenThereAreTooManyWorkers) {
  const Cores cores;
  const auto too_many = static_cast<int>(affinity().size()) + 1;
  for (int worker = 0; worker < too_many; ++worker) {
    EXPECT_THAT(bound_units(cores, worker, too_many), ElementsAre());
  }
}

TEST(Cores, SharesAreDisjointAndCoverAll) {
  const int all = Cores().count();
  for (const int count : {1, 2, 3, all - 1, all}) {
    if (count < 1 || count > all) continue;
    int sum = 0;
    std::set<int> taken;
    for (int index = 0; index < count; ++index) {
      Cores share;
      share.keep_share(index, count);
      EXPECT_GE(share.count(), all / count);
      EXPECT_LE(share.count(), all / count + 1);
      sum += share.count();
      for (int worker = 0; worker < share.count(); ++worker) {
        for (const int unit : bound_units(share, worker, share.count())) {
          EXPECT_TRUE(taken.insert(unit).second) << "two shares have unit " << unit;
        }
      }
    }
    EXPECT_EQ(sum, all);
    EXPECT_EQ(taken.size(), static_cast<std::size_t>(all));
  }
}

TEST(Cores, WithFewerCoresThanSharesEachHasOneAndBindsNobody) {
  const int all = Cores().count();
  for (const int index : {0, all / 2, all}) {
    Cores share;
    share.keep_share(index, all + 1);
    EXPECT_EQ(share.count(), 1);
    EXPECT_THAT(bound_units(share, 0, 1), ElementsAre());
    EXPECT_THAT(share.robbing_order(0, 2), ElementsAre(2, 1));
  }
}

TEST(Cores, AShareDoesNotChangeWhatIsAllowed) {
  Cores cores;
  const std::string before = cores.allowed();
  cores.keep_share(0, cores.count());
  EXPECT_EQ(cores.allowed(), before);
}

void expect_robbing_orders(const Cores& cores, int workers) {
  for (int worker = 0; worker < workers; ++worker) {
    auto order = cores.robbing_order(worker, workers);
    ASSERT_EQ(order.size(), static_cast<std::size_t>(workers));
    EXPECT_EQ(order.front(), static_cast<std::size_t>(workers)) << "loot first";
    EXPECT_EQ(std::count(order.begin(), order.end(), static_cast<std::size_t>(worker)), 0)
        << "nobody robs himself";
    std::sort(order.begin(), order.end());
    EXPECT_EQ(std::adjacent_find(order.begin(), order.end()), order.end()) << "each post once";
  }
}

TEST(Cores, RobbingOrderIsAPermutationThatBeginsWithTheCommunicationPost) {
  const Cores cores;
  for (const int workers : {1, 2, 3, 7, 64}) expect_robbing_orders(cores, workers);
}

TEST(Cores, EqualsAreRobbedInCyclicOrderFromTheRobberOn) {
  // With more workers than units none is nearer than another.
  const Cores cores;
  const auto workers = static_cast<int>(affinity().size()) + 3;
  for (int worker = 0; worker < workers; ++worker) {
    const auto order = cores.robbing_order(worker, workers);
    for (int i = 1; i < workers; ++i) {
      EXPECT_EQ(order[static_cast<std::size_t>(i)],
                static_cast<std::size_t>((worker + i) % workers));
    }
  }
}

}  // namespace
}  // namespace belay::test
