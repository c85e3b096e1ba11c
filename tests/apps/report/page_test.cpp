#include "apps/report/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apps/report/made_up_run.hpp"

namespace apps::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page_without_images(const RunData& run) {
  const std::vector<Figure> figures = figures_of(run);
  return page_of(run, figures, std::vector<std::string>(figures.size(), "<svg/>"));
}

TEST(Page, TextOfTheRunIsEscaped) {
  RunData run = parse_run(report_of(make_up_run(1, 2)).dump());
  run.program = "<b>&";
  run.config = {{"file", "\"<script>\""}};
  run.ranks[0].host = "<i>";
  const std::string page = page_without_images(run);
  EXPECT_THAT(page, HasSubstr("<h1>&lt;b&gt;&amp;</h1>"));
  EXPECT_THAT(page, HasSubstr("&quot;&lt;script&gt;&quot;"));
  EXPECT_THAT(page, HasSubstr("<td>&lt;i&gt;</td>"));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST(Page, SaysWhatTheRunWasLike) {
  const std::string page = page_without_images(parse_run(
      R"({"program": "uts", "config": {"tree": "T1", "bind": "cores"}, "seconds": 2,
          "ranks": [{"host": "n1", "workers": [
            {"tasks": 3000, "states": {"computing": 1.5, "idle": 0.5}},
            {"tasks": 1000, "states": {"computing": 0.5, "idle": 1.5}}]}]})"));
  EXPECT_THAT(page, HasSubstr("tree T1, bind cores"));
  EXPECT_THAT(page, HasSubstr("<td>4000</td>"));
  EXPECT_THAT(page, HasSubstr("<td>2 k tasks/s</td>"));
  EXPECT_THAT(page, HasSubstr("</i>idle</th><td>50.0 %</td>"));
  EXPECT_THAT(page, HasSubstr("efficiency</th><td>50.0 %"));
}

TEST(Page, SaysWhichFiguresAreMissing) {
  const std::string page = page_without_images(
      parse_run(R"({"program": "hybrid", "ranks": [{"workers": [{"tasks": 5}]}]})"));
  EXPECT_THAT(page, HasSubstr("Nothing in the file for: Life story, Throughput, Computing time per "
                              "worker, Who stole how much from whom, Search times, Steal latencies "
                              "between ranks."));
  EXPECT_THAT(page, HasSubstr("<h2 id=\"tasks\">"));
  EXPECT_THAT(page, Not(HasSubstr("<h2 id=\"life_story\">")));
}

}  // namespace
}  // namespace apps::test
