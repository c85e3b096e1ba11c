#include "apps/common/progress_line.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <sstream>

namespace apps {
namespace {

constexpr belay::Progress kFirst{.seconds = 1, .tasks = 500, .busy = 3, .workers = 4};
constexpr belay::Progress kSecond{.seconds = 3, .tasks = 2'500'500, .busy = 4, .workers = 4};

TEST(ProgressLine, HasTasksRateAndBusyShare) {
  std::ostringstream out;
  ProgressLine line("prog", out, false, 0);
  line.show(kFirst);
  line.show(kSecond);
  EXPECT_EQ(out.str(),
            "prog: 1 s, 500 tasks, 500/s, 75 % of 4 workers busy\n"
            "prog: 3 s, 2.5 M tasks, 1.2 M/s, 100 % of 4 workers busy\n");
}

TEST(ProgressLine, AtATerminalReplacesItselfAndGoesAtTheEnd) {
  std::ostringstream out;
  std::optional<ProgressLine> line;
  line.emplace("prog", out, true, 0);
  line->show(kFirst);
  EXPECT_EQ(out.str().find('\n'), std::string::npos);
  EXPECT_TRUE(out.str().starts_with("\r\033[K"));
  out.str("");
  line.reset();
  EXPECT_EQ(out.str(), "\r\033[K");
}

TEST(ProgressLine, ShortRunsAreSparedIt) {
  std::ostringstream out;
  {
    ProgressLine line("prog", out, true, 2);
    line.show(kFirst);
    EXPECT_EQ(out.str(), "");
  }
  EXPECT_EQ(out.str(), "");
}

TEST(ProgressLine, TheRateIsSinceTheLineBeforeEvenIfThatWasNotShown) {
  std::ostringstream out;
  ProgressLine line("prog", out, false, 2);
  line.show(kFirst);
  line.show(kSecond);
  EXPECT_EQ(out.str(), "prog: 3 s, 2.5 M tasks, 1.2 M/s, 100 % of 4 workers busy\n");
}

TEST(ProgressLine, CountsThatSeemToGoBackAreNoRate) {
  std::ostringstream out;
  ProgressLine line("prog", out, false, 0);
  line.show({.seconds = 1, .tasks = 100, .busy = -1, .workers = 0});
  line.show({.seconds = 2, .tasks = 50, .busy = 0, .workers = 1});
  EXPECT_EQ(out.str(),
            "prog: 1 s, 100 tasks, 100/s, 0 % of 0 workers busy\n"
            "prog: 2 s, 50 tasks, 0/s, 0 % of 1 workers busy\n");
}

}  // namespace
}  // namespace apps
