#include "bench/sim/measured_tasks.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "belay/core/problem.hpp"

namespace bench {
namespace {

static_assert(belay::Problem<MeasuredTasks>);

using Bag = MeasuredTasks::Bag;

constexpr std::atomic<bool> kNobodyWaits{false};

// Units that one quantum did.
std::uint64_t process(const MeasuredTasks& problem, Bag& bag, std::uint32_t most) {
  std::uint64_t units = 0;
  belay::Quantum quantum(kNobodyWaits, most);
  problem.process(bag, units, quantum);
  EXPECT_EQ(units, quantum.taken());
  return units;
}

TEST(MeasuredTasks, LastTheirLengthsInUnitsRoundedButOneAtLeast) {
  const MeasuredTasks problem({0, 0.4, 14, 15, 26}, 10);
  Bag bag = problem.part(0, 1);
  EXPECT_EQ(bag.size(), 5U);
  EXPECT_EQ(process(problem, bag, 1000), 1 + 1 + 1 + 2 + 3U);
  EXPECT_EQ(bag.size(), 0U);
}

TEST(MeasuredTasks, AreDividedEquallyAmongRanks) {
  const MeasuredTasks problem(std::vector<double>(10, 7), 1);
  std::uint64_t units = 0;
  for (int rank = 0; rank < 4; ++rank) {
    Bag bag = problem.part(rank, 4);
    EXPECT_GE(bag.size(), 2U);
    EXPECT_LE(bag.size(), 3U);
    units += process(problem, bag, 1000);
  }
  EXPECT_EQ(units, 70U);
}

TEST(MeasuredTasks, LeaveWhatIsHalfDoneToWhomBeganIt) {
  const MeasuredTasks problem({5, 1, 1, 1}, 1);
  Bag bag = problem.part(0, 1);
  EXPECT_EQ(process(problem, bag, 3), 3U);
  Bag part = problem.split(bag, belay::Share::tasks(3));
  EXPECT_EQ(part.size(), 3U);
  EXPECT_EQ(part.done, 0U);
  EXPECT_EQ(bag.size(), 1U);
  EXPECT_EQ(problem.split(bag, belay::Share::half()).size(), 0U);
  problem.merge(bag, std::move(part));
  EXPECT_EQ(process(problem, bag, 2), 2U);  // the rest of the first
  EXPECT_EQ(bag.size(), 3U);
  EXPECT_EQ(bag.done, 0U);
}

// The scheduler's doings at random, over many bags.
TEST(MeasuredTasks, AreAllDoneAndAsManyAsForeseen) {
  int lasts = 0;
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&random](std::uint64_t bound) {
      return static_cast<std::uint32_t>(random() % bound);
    };
    std::vector<double> lengths;
    std::uint64_t all = 0;
    for (int task = 0; task < 100; ++task) {
      lengths.push_back(1 + below(1U << below(10)));
      all += static_cast<std::uint64_t>(lengths.back());
    }
    const MeasuredTasks problem(lengths, 1);
    std::vector<Bag> bags;
    for (int rank = 0; rank < 3; ++rank) bags.push_back(problem.part(rank, 3));
    std::uint64_t units = 0;
    while (!bags.empty()) {
      const std::size_t index = below(bags.size());
      Bag& bag = bags[index];
      const std::size_t before = bag.size();
      if (const auto indivisible = problem.indivisible_tasks(bag); indivisible > 0) {
        ++lasts;
        Bag copy = bag;
        const auto fewer = below(static_cast<std::uint32_t>(indivisible));
        ASSERT_EQ(process(problem, copy, fewer), fewer);
        ASSERT_EQ(problem.split(copy, belay::Share::half()).size(), 0U);
        ASSERT_EQ(copy.size(), 1U);
      }
      if (before == 0) {
        bags.erase(bags.begin() + static_cast<std::ptrdiff_t>(index));
      } else if (below(3) > 0) {
        const std::uint32_t wanted = 1 + below(200);
        const std::uint64_t foreseen = problem.foresee(bag, wanted);
        ASSERT_GE(foreseen, 1U);
        ASSERT_LE(foreseen, wanted);
        ASSERT_EQ(process(problem, bag, static_cast<std::uint32_t>(foreseen)), foreseen);
        units += foreseen;
      } else if (bags.size() < 10) {
        Bag part =
            problem.split(bag, below(2) == 0 ? belay::Share::half() : belay::Share::tasks(2));
        ASSERT_EQ(part.size() + bag.size(), before);
        bags.push_back(std::move(part));
      }
    }
    EXPECT_EQ(units, all) << seed;
  }
  EXPECT_GT(lasts, 0);
}

class LengthsFile : public testing::Test {
 protected:
  LengthsFile() = default;
  ~LengthsFile() override { std::filesystem::remove(file_); }

  std::vector<double> read(const std::string& text) const {
    std::ofstream(file_) << text;
    return read_lengths(file_);
  }

  std::string error_of(const std::string& text) const {
    try {
      static_cast<void>(read(text));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing";
  }

  const std::string file_ = testing::TempDir() + "lengths." + std::to_string(getpid());
};

TEST_F(LengthsFile, HasNumbersWithWhiteSpaceBetween) {
  EXPECT_EQ(read("1 2.5\n\t3e3\n"), (std::vector<double>{1, 2.5, 3000}));
  EXPECT_EQ(read("0"), (std::vector<double>{0}));
}

TEST_F(LengthsFile, IsRefusedWhereItHasAnythingElse) {
  const std::string no_numbers = file_ + ": cannot be read as numbers";
  for (const char* text : {"", " \n", "x", "1 2 x", "1,2", "nan", "1 inf", "1e999"}) {
    EXPECT_EQ(error_of(text), no_numbers) << text;
  }
  EXPECT_EQ(error_of("1 -2"), file_ + ": length -2, allowed: 0 to 1e+12");
  EXPECT_EQ(error_of("1e13"), file_ + ": length 1e+13, allowed: 0 to 1e+12");
}

TEST_F(LengthsFile, IsRefusedWhereThereIsNone) {
  EXPECT_THROW(static_cast<void>(read_lengths(file_)), std::invalid_argument);
}

}  // namespace
}  // namespace bench
