// Results: large ones, and where they are after a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <belay/belay.hpp>
#include <cstddef>
#include <utility>
#include <vector>

namespace belay {
namespace {

using testing::Each;
using testing::IsEmpty;

// Counts in a vector as long as that of a large graph's scores: eight megabytes.
class CountsPlaces {
 public:
  static constexpr std::size_t kPlaces = 1'000'000;
  using Task = std::size_t;
  using Result = std::vector<double>;  // empty is the identity

  void operator()(Task at, Spawn<Task>& spawn, Result& counts) const {
    counts.resize(kPlaces);
    counts[at] += 1;
    if (2 * at + 1 < kPlaces) spawn(2 * at + 1);
    if (2 * at + 2 < kPlaces) spawn(2 * at + 2);
  }
  static void reduce(Result& into, Result&& from) {
    if (into.empty()) std::swap(into, from);
    for (std::size_t i = 0; i < from.size(); ++i) into[i] += from[i];
  }
};

class Results : public testing::Test {
 protected:
  std::vector<double> count(ResultAt where) {
    Parameters parameters;
    parameters.threads = 2;
    parameters.result_at = where;
    return run(session_, CountsPlaces{}, on_each_rank(std::size_t{0}), parameters);
  }

  Session session_{MPI_COMM_WORLD};
};

TEST_F(Results, OfMegabytesAreTheSameOnEveryRank) {
  const auto counts = count(ResultAt::every_rank);
  EXPECT_EQ(counts.size(), CountsPlaces::kPlaces);
  EXPECT_THAT(counts, Each(static_cast<double>(session_.size())));
}

TEST_F(Results, StayAtTheRootWhenThatIsWanted) {
  const auto counts = count(ResultAt::root);
  if (session_.rank() == 0) {
    EXPECT_EQ(counts.size(), CountsPlaces::kPlaces);
    EXPECT_THAT(counts, Each(static_cast<double>(session_.size())));
  } else {
    EXPECT_THAT(counts, IsEmpty());
  }
}

}  // namespace
}  // namespace belay
