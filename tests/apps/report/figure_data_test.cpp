#include "apps/report/figure_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/report/quantity.hpp"

namespace apps {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Two ranks of two workers; what is stolen is told apart by its digits.
RunData two_by_two() {
  RunData run;
  run.ranks.resize(2);
  for (RankData& rank : run.ranks) rank.workers.resize(2);
  run.ranks[0].workers[0].stolen_from = {0, 1, 10};  // from worker 1, and what came from abroad
  run.ranks[1].workers[1].stolen_from = {100};
  run.ranks[0].loot_from = {0, 1000};
  return run;
}

std::vector<std::string> labels(const ThreadAxis& axis) {
  std::vector<std::string> texts;
  for (const auto& label : axis.labels) texts.push_back(label.text);
  return texts;
}

TEST(StealMatrix, HasThievesInRowsAndACommunicationThreadForEachRank) {
  const StealMatrix matrix = steal_matrix(two_by_two(), 6);
  EXPECT_THAT(matrix.tasks, ElementsAre(ElementsAre(0, 1, 10, 0, 0, 0),    //
                                        ElementsAre(0, 0, 0, 0, 0, 0),     //
                                        ElementsAre(0, 0, 0, 0, 0, 1000),  //
                                        ElementsAre(0, 0, 0, 0, 0, 0),     //
                                        ElementsAre(0, 0, 0, 100, 0, 0),   //
                                        ElementsAre(0, 0, 0, 0, 0, 0)));
  EXPECT_THAT(labels(matrix.axis), ElementsAre("0/0", "0/1", "0/c", "1/0", "1/1", "1/c"));
  EXPECT_THAT(matrix.axis.borders, ElementsAre(2.5));
}

TEST(StealMatrix, OfManyThreadsIsOneOfRanks) {
  const StealMatrix matrix = steal_matrix(two_by_two(), 5);
  EXPECT_THAT(matrix.tasks, ElementsAre(ElementsAre(1, 1000), ElementsAre(0, 100)));
  EXPECT_THAT(labels(matrix.axis), ElementsAre("0", "1"));
}

TEST(StealMatrix, OfOneRankHasWorkersAlone) {
  RunData run = two_by_two();
  run.ranks.resize(1);
  EXPECT_THAT(steal_matrix(run, 6).tasks, ElementsAre(ElementsAre(0, 1), ElementsAre(0, 0)));
}

TEST(ThreadAxis, NamesRanksWhereThreadsAreMany) {
  RunData run;
  run.ranks.resize(8);
  for (RankData& rank : run.ranks) rank.workers.resize(50);
  const ThreadAxis axis = thread_axis(run, false);
  EXPECT_EQ(axis.title, "rank");
  EXPECT_THAT(labels(axis), ElementsAre("0", "1", "2", "3", "4", "5", "6", "7"));
  EXPECT_DOUBLE_EQ(axis.labels[0].at, 24.5);
  EXPECT_THAT(axis.borders, SizeIs(7));
  EXPECT_DOUBLE_EQ(axis.borders[0], 49.5);
}

TEST(ThreadAxis, LeavesOutLabelsThatDoNotFit) {
  RunData run;
  run.ranks.resize(1);
  run.ranks[0].workers.resize(70);
  const ThreadAxis axis = thread_axis(run, false);
  EXPECT_EQ(axis.title, "worker");
  EXPECT_THAT(axis.borders, IsEmpty());
  EXPECT_EQ(labels(axis), (std::vector<std::string>{"0", "5", "10", "15", "20", "25", "30", "35",
                                                    "40", "45", "50", "55", "60", "65"}));
  EXPECT_DOUBLE_EQ(axis.labels[1].at, 5);
}

TEST(Spread, IsMeanAndDeviationOfAll) {
  const Spread spread = spread_of({1, 3, 1, 3});
  EXPECT_DOUBLE_EQ(spread.mean, 2);
  EXPECT_DOUBLE_EQ(spread.deviation, 1);
}

TEST(Histogram, QuantileIsTheMiddleOfABucket) {
  const Histogram histogram{{64, 5}, {128, 4}, {1024, 1}};
  EXPECT_DOUBLE_EQ(quantile(histogram, 0.5), 72);
  EXPECT_DOUBLE_EQ(quantile(histogram, 0.9), 144);
  EXPECT_DOUBLE_EQ(quantile(histogram, 1), 1152);
}

TEST(Quantity, HasThePrefixThatPeopleUse) {
  EXPECT_EQ(shown(0.00314159, "s"), "3.14 ms");
  EXPECT_EQ(shown(1e-7, "s"), "100 ns");
  EXPECT_EQ(shown(1234.5, "s"), "1234 s");
  EXPECT_EQ(shown(0, "s"), "0 s");
  EXPECT_EQ(shown(2.5e6, "tasks/s"), "2.5 M tasks/s");
  EXPECT_EQ(shown(12, ""), "12");
  EXPECT_EQ(quantity(5e9, "tasks").name, "billion tasks");
  EXPECT_EQ(quantity(0.02, "s").name, "ms");
}

}  // namespace
}  // namespace apps
