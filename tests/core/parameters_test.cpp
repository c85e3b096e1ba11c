#include "belay/core/parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <string>

namespace belay::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct Range {
  const char* name;
  void (*set)(Parameters&, int);
  int least;
  int most;
};

void PrintTo(const Range& range, std::ostream* out) { *out << range.name; }

class ParameterRange : public testing::TestWithParam<Range> {
 protected:
  static Parameters with(int value) {
    Parameters parameters;
    GetParam().set(parameters, value);
    return parameters;
  }
};

TEST_P(ParameterRange, BoundsAreAllowed) {
  EXPECT_NO_THROW(with(GetParam().least).validate());
  EXPECT_NO_THROW(with(GetParam().most).validate());
}

TEST_P(ParameterRange, ValuesBeyondAreRefusedByNameValueAndRange) {
  const Range& range = GetParam();
  for (const int value : {range.least - 1, range.most + 1, std::numeric_limits<int>::min(),
                          std::numeric_limits<int>::max()}) {
    EXPECT_THAT([&] { with(value).validate(); },
                ThrowsMessage<std::invalid_argument>(
                    AllOf(HasSubstr(std::string(range.name) + " is " + std::to_string(value)),
                          HasSubstr(std::to_string(range.most)))));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Parameters, ParameterRange,
    testing::Values(
        Range{"threads", [](Parameters& p, int v) { p.threads = v; }, 0, 4096},
        Range{"random_steals", [](Parameters& p, int v) { p.random_steals = v; }, 0, 1'000'000},
        Range{"lifelines", [](Parameters& p, int v) { p.lifelines = v; }, 1, 64},
        Range{"chunks_shown", [](Parameters& p, int v) { p.chunks_shown = v; }, 1, 1024}),
    [](const auto& the_case) { return the_case.param.name; });

TEST(Parameters, DefaultsAreValid) { EXPECT_NO_THROW(Parameters{}.validate()); }

TEST(Parameters, UnsignedOnesHaveNoBounds) {
  Parameters parameters;
  parameters.quantum = std::numeric_limits<std::uint32_t>::max();
  parameters.steal = std::numeric_limits<std::size_t>::max();
  parameters.seed = std::numeric_limits<std::uint64_t>::max();
  EXPECT_NO_THROW(parameters.validate());
}

TEST(Parameters, NothingStopsARunUnlessAsked) { EXPECT_FALSE(Parameters{}.stop.stop_possible()); }

}  // namespace
}  // namespace belay::test
