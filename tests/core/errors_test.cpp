#include "belay/core/errors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <type_traits>

namespace belay::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Error, NamesTheRankAndCarriesTheMessage) {
  const Error error(3, "out of luck");
  EXPECT_EQ(error.rank(), 3);
  EXPECT_STREQ(error.what(), "rank 3: out of luck");
  static_assert(std::is_base_of_v<std::runtime_error, Error>);
}

TEST(Check, PassesInSilence) {
  EXPECT_NO_THROW(BELAY_CHECK(1 + 1 == 2));
  EXPECT_NO_THROW(BELAY_CHECK(true, 1, "text"));
}

TEST(Check, SaysFileLineConditionAndValues) {
  const int answer = 41;
  const int line = __LINE__ + 1;
  EXPECT_THAT([&] { BELAY_CHECK(answer == 42, answer, "so close"); },
              ThrowsMessage<std::logic_error>(
                  AllOf(HasSubstr("errors_test.cpp:" + std::to_string(line)),
                        HasSubstr("check failed: answer == 42"), HasSubstr("[41] [so close]"))));
}

TEST(Check, NeedsNoValues) { EXPECT_THROW(BELAY_CHECK(1 == 2), std::logic_error); }

TEST(Check, EvaluatesItsConditionOnceAndItsValuesOnlyOnFailure) {
  int conditions = 0;
  int values = 0;
  BELAY_CHECK(++conditions == 1, ++values);
  EXPECT_EQ(conditions, 1);
  EXPECT_EQ(values, 0);
}

TEST(Check, IsOneExpression) {
  // Usable where an if without braces takes it.
  if (true)
    BELAY_CHECK(true);
  else
    BELAY_CHECK(false);
}

}  // namespace
}  // namespace belay::test
