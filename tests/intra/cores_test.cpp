// Cores on made-up machines, since the one at hand shows little.
#include "belay/intra/cores.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace belay::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// 16 cores: units 2i and 2i + 1 are core i's; four cores a NUMA node, eight a package.
constexpr const char* kTwoPackages = "pack:2 numa:2 core:4 pu:2";

using Units = std::vector<unsigned>;

// The units of all workers; none if nobody is bound.
Units units(const Cores& cores, int workers) {
  Units list;
  for (int worker = 0; worker < workers; ++worker) {
    if (const auto unit = cores.unit(worker, workers)) list.push_back(*unit);
  }
  EXPECT_TRUE(list.empty() || list.size() == static_cast<std::size_t>(workers));
  return list;
}

// What each of `count` processes keeps that were given the same.
Units share(const MadeUpMachine& machine, std::size_t index, std::size_t count) {
  Cores cores(machine);
  cores.divide(std::vector<Cores::Grant>(count, cores.grant()), index);
  return units(cores, cores.count());
}

int count_with(double cpus, std::size_t processes) {
  Cores cores({.topology = kTwoPackages, .quota = CpuQuota{cpus, 7}});
  auto other = cores.grant();
  ++other.cores;  // bound elsewhere
  std::vector<Cores::Grant> host(processes, other);
  host.back() = cores.grant();
  cores.divide(host, processes - 1);
  return cores.count();
}

TEST(Cores, CountsCoresNotHardwareThreads) {
  EXPECT_EQ(Cores({.topology = kTwoPackages}).count(), 16);
  EXPECT_EQ(Cores({.topology = "core:3 pu:1"}).count(), 3);
  EXPECT_EQ(Cores({.topology = "pu:4"}).count(), 4) << "no cores reported";
}

TEST(Cores, OneThreadOfEachCoreComesFirst) {
  const Cores cores({.topology = "pack:2 core:2 pu:2"});
  EXPECT_THAT(units(cores, 1), ElementsAre(0));
  EXPECT_THAT(units(cores, 4), ElementsAre(0, 2, 4, 6));
  EXPECT_THAT(units(cores, 6), ElementsAre(0, 2, 4, 6, 1, 3));
  EXPECT_THAT(units(cores, 8), ElementsAre(0, 2, 4, 6, 1, 3, 5, 7));
}

TEST(Cores, NeighboursAreByPlaceNotByNumber) {
  // As many systems number them: second threads last, packages in turn.
  const Cores cores({.topology = "pack:2 core:2 pu:2(indexes=0,4,2,6,1,5,3,7)"});
  EXPECT_THAT(units(cores, 8), ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
}

TEST(Cores, NobodyIsBoundWhenThereAreTooManyWorkers) {
  const Cores cores({.topology = "core:2 pu:2"});
  EXPECT_THAT(units(cores, 5), IsEmpty());
  EXPECT_FALSE(cores.bind(0, 5)) << "no failure";
}

TEST(Cores, SharesAreDisjointAndWhole) {
  EXPECT_THAT(share({.topology = kTwoPackages}, 1, 2), ElementsAre(16, 18, 20, 22, 24, 26, 28, 30))
      << "a package";
  for (const std::size_t count : {1U, 2U, 3U, 5U, 16U}) {
    std::set<unsigned> taken;
    for (std::size_t index = 0; index < count; ++index) {
      const Units part = share({.topology = kTwoPackages}, index, count);
      EXPECT_GE(part.size(), 16 / count);
      EXPECT_LE(part.size(), 16 / count + 1);
      for (const unsigned unit : part) EXPECT_TRUE(taken.insert(unit).second) << unit;
    }
    EXPECT_EQ(taken.size(), 16U) << count << " processes";
  }
}

TEST(Cores, AShareHasTheSecondThreadsOfItsCores) {
  Cores cores({.topology = "core:4 pu:2"});
  cores.divide(std::vector<Cores::Grant>(2, cores.grant()), 1);
  EXPECT_EQ(cores.count(), 2);
  EXPECT_THAT(units(cores, 4), ElementsAre(4, 6, 5, 7));
}

TEST(Cores, OnlyThoseGivenTheSameCoresDivideThem) {
  const Cores left({.topology = kTwoPackages, .allowed = "0-15"});
  Cores right({.topology = kTwoPackages, .allowed = "16-31"});
  right.divide(std::vector{left.grant(), right.grant(), left.grant(), right.grant()}, 3);
  EXPECT_THAT(units(right, right.count()), ElementsAre(24, 26, 28, 30));
}

TEST(Cores, WithFewerCoresThanProcessesEachHasOneAndBindsNobody) {
  for (const std::size_t index : {0U, 1U, 2U}) {
    Cores cores({.topology = "core:2 pu:2"});
    cores.divide(std::vector<Cores::Grant>(3, cores.grant()), index);
    EXPECT_EQ(cores.count(), 1);
    EXPECT_THAT(units(cores, 1), IsEmpty());
    EXPECT_THAT(cores.robbing_order(0, 2), ElementsAre(2, 1));
  }
}

TEST(Cores, APartOfAPackageMayBeAllowed) {
  const Cores cores({.topology = kTwoPackages, .allowed = "4-11"});
  EXPECT_EQ(cores.count(), 4);
  EXPECT_THAT(units(cores, 8), ElementsAre(4, 6, 8, 10, 5, 7, 9, 11));
}

TEST(Cores, ACoreOfWhichOnlyOneThreadIsAllowedIsACore) {
  const Cores mixed({.topology = "core:4 pu:2", .allowed = "0-1,3,4-5,6"});
  EXPECT_EQ(mixed.count(), 4);
  EXPECT_THAT(units(mixed, 6), ElementsAre(0, 3, 4, 6, 1, 5));
  const Cores second_threads({.topology = "core:4 pu:2", .allowed = "1,3,5"});
  EXPECT_EQ(second_threads.count(), 3);
  EXPECT_THAT(units(second_threads, 3), ElementsAre(1, 3, 5));
  EXPECT_THAT(share({.topology = "core:4 pu:2", .allowed = "0-1,3,4-5,6"}, 0, 2),
              ElementsAre(0, 3));
}

TEST(Cores, AProcessBoundToOneCoreHasItsThreads) {
  const Cores cores({.topology = kTwoPackages, .allowed = "6-7"});
  EXPECT_EQ(cores.count(), 1);
  EXPECT_THAT(units(cores, 2), ElementsAre(6, 7));
  EXPECT_THAT(units(cores, 3), IsEmpty());
}

TEST(Cores, OneCoreOfManyIsToldFromAMachineOfOneCore) {
  EXPECT_TRUE(Cores({.topology = kTwoPackages, .allowed = "6-7"}).given_one_of_many());
  EXPECT_TRUE(Cores({.topology = kTwoPackages, .allowed = "6"}).given_one_of_many());
  EXPECT_FALSE(Cores({.topology = kTwoPackages, .allowed = "6,8"}).given_one_of_many());
  EXPECT_FALSE(Cores({.topology = "core:1 pu:2"}).given_one_of_many());
  EXPECT_FALSE(Cores({.topology = "core:1 pu:2", .allowed = "1"}).given_one_of_many());
  Cores shared({.topology = "core:2 pu:1"});
  shared.divide(std::vector<Cores::Grant>(2, shared.grant()), 0);
  EXPECT_FALSE(shared.given_one_of_many()) << "the launcher gave both";
}

TEST(Cores, AQuotaLimitsTheCountAndNotTheChoice) {
  const Cores cores({.topology = kTwoPackages, .quota = CpuQuota{3.9, 7}});
  EXPECT_EQ(cores.count(), 3);
  EXPECT_EQ(units(cores, 32).size(), 32U);
  EXPECT_EQ(count_with(0.2, 1), 1);
  EXPECT_EQ(count_with(16.5, 1), 16);
  EXPECT_EQ(count_with(1e300, 1), 16);
}

TEST(Cores, ProcessesOfACgroupDivideItsQuota) {
  EXPECT_EQ(count_with(6, 2), 3);
  EXPECT_EQ(count_with(6, 3), 2);
  EXPECT_EQ(count_with(6, 4), 1);
  EXPECT_EQ(count_with(6, 7), 1);

  Cores cores({.topology = kTwoPackages, .quota = CpuQuota{4, 7}});
  const Cores other({.topology = kTwoPackages, .quota = CpuQuota{4, 8}});
  const Cores free({.topology = kTwoPackages});
  cores.divide(std::vector{free.grant(), other.grant(), cores.grant()}, 2);
  EXPECT_EQ(cores.count(), 4) << "a third of the cores, but all of the quota";
}

TEST(Cores, TheNearestAreRobbedFirst) {
  const Cores cores({.topology = "pack:2 l3:2 core:2 pu:2"});
  // Core, cache, package, the rest; the communication post before all.
  EXPECT_THAT(cores.robbing_order(0, 16),
              ElementsAre(16, 8, 1, 9, 2, 3, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15));
  EXPECT_THAT(cores.robbing_order(5, 8), ElementsAre(8, 4, 6, 7, 0, 1, 2, 3));
  const Cores numa({.topology = kTwoPackages});
  EXPECT_THAT(numa.robbing_order(6, 16),
              ElementsAre(16, 7, 4, 5, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15));
}

TEST(Cores, EqualsAreRobbedInCyclicOrderFromTheRobberOn) {
  EXPECT_THAT(Cores({.topology = "core:4 pu:1"}).robbing_order(2, 4), ElementsAre(4, 3, 0, 1));
  // With more workers than units none is nearer than another.
  EXPECT_THAT(Cores({.topology = "pack:2 core:2 pu:1"}).robbing_order(3, 5),
              ElementsAre(5, 4, 0, 1, 2));
}

TEST(Cores, EachPostIsRobbedOnceAndNoneIsOnesOwn) {
  const Cores cores({.topology = kTwoPackages, .allowed = "0-1,3,9,12-31"});
  for (const std::size_t workers : {1U, 2U, 3U, 7U, 24U, 64U}) {
    for (std::size_t worker = 0; worker < workers; ++worker) {
      auto order = cores.robbing_order(static_cast<int>(worker), static_cast<int>(workers));
      EXPECT_EQ(order.front(), workers) << "loot first";
      order.push_back(worker);
      std::ranges::sort(order);
      ASSERT_EQ(order.size(), workers + 1);
      for (std::size_t post = 0; post <= workers; ++post) EXPECT_EQ(order[post], post);
    }
  }
}

TEST(Cores, NonsenseIsNoMachine) {
  EXPECT_THROW(Cores({.topology = "core:"}), std::invalid_argument);
  EXPECT_THROW(Cores({.topology = "core:2 pu:1", .allowed = "2-3"}), std::invalid_argument);
  EXPECT_THROW(Cores({.topology = "core:2 pu:1", .allowed = "many"}), std::invalid_argument);
}

}  // namespace
}  // namespace belay::test
