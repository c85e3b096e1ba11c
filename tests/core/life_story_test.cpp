#include "belay/core/life_story.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>

namespace belay::test {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

double sum(const PerState& seconds) { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }

double of(const PerState& seconds, ThreadState state) {
  return seconds[static_cast<std::size_t>(state)];
}

TEST(LifeStory, BeginsEmpty) {
  const LifeStory story;
  EXPECT_EQ(story.bins(), 0U);
  EXPECT_EQ(sum(story.total()), 0);
}

TEST(LifeStory, SumsUpTheTimeInEachState) {
  LifeStory story;
  story.spend(ThreadState::computing, 0, 3 * kMillisecond);
  story.spend(ThreadState::idle, 3 * kMillisecond, 4 * kMillisecond);
  story.spend(ThreadState::computing, 4 * kMillisecond, 4 * kMillisecond + 1);
  EXPECT_DOUBLE_EQ(of(story.total(), ThreadState::computing), 0.003000001);
  EXPECT_DOUBLE_EQ(of(story.total(), ThreadState::idle), 0.001);
  EXPECT_DOUBLE_EQ(sum(story.total()), 0.004000001);
}

TEST(LifeStory, ShowsWhenAStateWas) {
  LifeStory story;
  story.spend(ThreadState::idle, 0, 2 * kMillisecond);
  story.spend(ThreadState::computing, kMillisecond, 2 * kMillisecond);  // of another thread
  const auto half = static_cast<std::size_t>(0.001 / story.width());
  EXPECT_EQ(story.threads(half - 1, ThreadState::computing), 0);
  EXPECT_DOUBLE_EQ(story.threads(half - 1, ThreadState::idle), 1);
  EXPECT_DOUBLE_EQ(story.threads(half + 1, ThreadState::computing), 1);
}

TEST(LifeStory, ARunOfAnyLengthFitsAndNothingIsLost) {
  for (const std::int64_t length : {std::int64_t{1}, kMillisecond, 100 * kMillisecond + 7,
                                    std::int64_t{86'400'000} * kMillisecond}) {
    LifeStory story;
    const std::int64_t step = length / 10'000 + 1;
    for (std::int64_t at = 0; at < length; at += step) {
      const auto state = static_cast<ThreadState>(at / step % 5);
      story.spend(state, at, std::min(at + step, length));
      story.count_tasks(at, 3);
    }
    EXPECT_NEAR(sum(story.total()), static_cast<double>(length) * 1e-9,
                1e-12 * static_cast<double>(length));
    std::uint64_t tasks = 0;
    for (std::size_t bin = 0; bin < story.bins(); ++bin) tasks += story.tasks(bin);
    EXPECT_EQ(tasks, 3 * static_cast<std::uint64_t>((length + step - 1) / step));
    EXPECT_GE(static_cast<double>(story.bins()) * story.width() * 1.0000001,
              static_cast<double>(length) * 1e-9);
    if (length > 3 * kMillisecond) {
      EXPECT_GT(story.bins(), 63U);
    }
  }
}

TEST(LifeStory, TheEndOfABinBelongsToIt) {
  LifeStory story;
  story.spend(ThreadState::computing, 0, std::int64_t{128} << 14);
  EXPECT_EQ(story.bins(), 128U);
  for (std::size_t bin = 0; bin < 128; ++bin) {
    EXPECT_EQ(story.threads(bin, ThreadState::computing), 1) << bin;
  }
}

TEST(LifeStory, AddsThreadsWhoseBinsDifferInWidth) {
  for (const bool longer_first : {false, true}) {
    LifeStory brief;
    brief.spend(ThreadState::computing, 0, kMillisecond);
    brief.count_tasks(0, 5);
    LifeStory longer;
    longer.spend(ThreadState::stealing, 0, 50 * kMillisecond);
    longer.count_tasks(40 * kMillisecond, 7);
    LifeStory both = longer_first ? longer : brief;
    both.add(longer_first ? brief : longer);
    EXPECT_EQ(both.width(), longer.width());
    EXPECT_DOUBLE_EQ(of(both.total(), ThreadState::computing), 0.001);
    EXPECT_DOUBLE_EQ(of(both.total(), ThreadState::stealing), 0.05);
    EXPECT_EQ(both.tasks(0), 5U);
  }
}

}  // namespace
}  // namespace belay::test
