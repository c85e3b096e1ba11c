// dcpar: runs the divide and conquer tree DCFixedPar(n, k, S, t) over all ranks and threads, and
// checks how many tasks there were.
#include <CLI/CLI.hpp>
#include <belay/belay.hpp>

#include "apps/common/options.hpp"
#include "apps/common/stoppable.hpp"
#include "apps/common/work.hpp"
#include "apps/dcpar/dcpar.hpp"

namespace {

nlohmann::ordered_json to_json(const apps::DcParResult& result) {
  return {{"tasks", result.tasks}, {"sequential", result.sequential}};
}

int dcpar(belay::Session& session, const apps::StopOnSignal& stop, int argc, char** argv) {
  CLI::App app(
      "DCFixedPar(n, k, S, t), divide and conquer: each k-th of n subtasks has subtasks itself.",
      "dcpar");
  std::uint32_t threshold = 4;
  double size_us = 5'000;
  apps::DcPar problem{.n = 40, .k = 20, .work = apps::Work::busy};
  apps::CommonOptions options;
  apps::add_number(app, "--tasks", problem.n, 1, 1'000'000,
                   "n, subtasks of a nested-parallel task; default 40");
  apps::add_number(app, "--every", problem.k, 1, 1'000'000,
                   "k, every k-th is nested-parallel: the larger, the more irregular; default 20");
  apps::add_number(app, "--size-us", size_us, 0, apps::kMaxTaskUs,
                   "S, length of a sequential task in microseconds; default 5000");
  apps::add_number(app, "--threshold", threshold, 0, 1'000'000,
                   "t, levels below the root; default 4");
  apps::add_choice(app, "--work", problem.work, apps::kWorkNames, apps::kWorkHelp);
  apps::add_common_options(app, options);
  if (const auto status = apps::parse(session, app, options, argc, argv)) return *status;

  problem.size = apps::from_us(size_us);
  const apps::DcParResult expected = problem.expected(threshold);
  return apps::run_and_report(session, stop, options,
                              {.program = "dcpar",
                               .config = {{"n", problem.n},
                                          {"k", problem.k},
                                          {"size_us", size_us},
                                          {"t", threshold},
                                          {"work", apps::name_of(apps::kWorkNames, problem.work)}}},
                              problem, belay::at_root(threshold),
                              [&](const apps::DcParResult& result, apps::Report& report) {
                                report.result = to_json(result);
                                report.check = apps::compare(report.result, to_json(expected),
                                                             "as the parameters say");
                              });
}

}  // namespace

int main(int argc, char** argv) { return apps::run_stoppable_program("dcpar", argc, argv, dcpar); }
