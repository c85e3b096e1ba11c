// Cores on the machine that the test runs on: do the system and hwloc do what they are asked?
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "belay/intra/cores.hpp"

namespace belay::test {
namespace {

using testing::ElementsAre;

std::set<unsigned> affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  std::set<unsigned> units;
  for (unsigned i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) units.insert(i);
  }
  return units;
}

// Restricts all threads of this process while it lives, as a launcher would have done before
// it began.
class Restricted {
 public:
  explicit Restricted(const std::set<unsigned>& units) : before_(affinity()) { apply(units); }
  ~Restricted() { apply(before_); }
  Restricted(const Restricted&) = delete;
  Restricted& operator=(const Restricted&) = delete;

 private:
  static void apply(const std::set<unsigned>& units) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const unsigned unit : units) CPU_SET(unit, &set);
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
      sched_setaffinity(std::stoi(entry.path().filename().string()), sizeof(set), &set);
    }
  }

  std::set<unsigned> before_;
};

// The units on which worker `worker` of `workers` ends up.
std::set<unsigned> bound_units(const Cores& cores, int worker, int workers) {
  std::set<unsigned> units;
  std::thread([&] {
    EXPECT_FALSE(cores.bind(worker, workers));
    units = affinity();
  }).join();
  return units;
}

TEST(CoresHere, AreNoMoreThanTheProcessWasGiven) {
  const Cores cores;
  EXPECT_GE(cores.count(), 1);
  EXPECT_LE(static_cast<std::size_t>(cores.count()), affinity().size());
}

TEST(CoresHere, ProcessBoundToOneUnitHasOneCore) {
  const unsigned unit = *affinity().rbegin();
  const Restricted restricted({unit});
  const Cores cores;
  EXPECT_EQ(cores.count(), 1);
  EXPECT_EQ(cores.unit(0, 1), unit);
  EXPECT_THAT(bound_units(cores, 0, 1), ElementsAre(unit));
}

TEST(CoresHere, EachWorkerIsBoundToItsUnit) {
  const Cores cores;
  const auto workers = static_cast<int>(affinity().size());
  for (int worker = 0; worker < workers; ++worker) {
    EXPECT_THAT(bound_units(cores, worker, workers), ElementsAre(cores.unit(worker, workers)));
  }
}

TEST(CoresHere, ThreadsWithoutAUnitStayWhereTheyWere) {
  const Cores cores;
  EXPECT_EQ(bound_units(cores, 0, static_cast<int>(affinity().size()) + 1), affinity());
}

TEST(CoresHere, DifferentCoresAreDifferentGrants) {
  const auto all = Cores().grant();
  EXPECT_EQ(Cores().grant().cores, all.cores);
  EXPECT_EQ(Cores().grant().quota, all.quota);
  if (affinity().size() == 1) GTEST_SKIP() << "one unit is no choice";
  const Restricted restricted({*affinity().begin()});
  EXPECT_NE(Cores().grant().cores, all.cores);
  EXPECT_EQ(Cores().grant().quota, all.quota);
}

TEST(CoresHere, AStayOnThePartOfTheProcessEndsWithIt) {
  Cores cores;
  const std::vector<Cores::Grant> host(affinity().size(), cores.grant());
  cores.divide(host, host.size() - 1);
  std::thread([&] {
    const auto before = affinity();
    {
      const Cores::Stay stay(cores);
      EXPECT_THAT(affinity(), ElementsAre(*cores.unit(0, 1)));
    }
    EXPECT_EQ(affinity(), before);
  }).join();
}

TEST(CoresHere, WithoutAPartThereIsNoStay) {
  Cores cores;
  const std::vector<Cores::Grant> host(affinity().size() + 1, cores.grant());
  EXPECT_FALSE(cores.crowded());
  cores.divide(host, 0);
  EXPECT_TRUE(cores.crowded());
  std::thread([&] {
    const auto before = affinity();
    const Cores::Stay stay(cores);
    EXPECT_EQ(affinity(), before);
  }).join();
}

TEST(CoresHere, ARefusalIsTheSystemsError) {
  // hwloc takes these for this machine's, which has no unit of such a number.
  setenv("HWLOC_SYNTHETIC", "core:2 pu:1(indexes=1000,1001)", 1);
  setenv("HWLOC_THISSYSTEM", "1", 1);
  const Cores cores;
  unsetenv("HWLOC_SYNTHETIC");
  unsetenv("HWLOC_THISSYSTEM");
  ASSERT_EQ(cores.unit(1, 2), 1001U);
  std::thread([&] {
    const auto before = affinity();
    EXPECT_EQ(cores.bind(1, 2), std::errc::invalid_argument);
    EXPECT_EQ(affinity(), before);
  }).join();
}

}  // namespace
}  // namespace belay::test
