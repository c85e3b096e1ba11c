// bpc: runs the Bouncing Producer-Consumer benchmark over all ranks and threads, and checks how
// many producers and consumers there were.
#include <CLI/CLI.hpp>
#include <belay/belay.hpp>

#include "apps/bpc/bpc.hpp"
#include "apps/common/options.hpp"
#include "apps/common/stoppable.hpp"
#include "apps/common/work.hpp"

namespace {

nlohmann::ordered_json to_json(const apps::BpcResult& result) {
  return {{"producers", result.producers}, {"consumers", result.consumers}};
}

int bpc(belay::Session& session, const apps::StopOnSignal& stop, int argc, char** argv) {
  CLI::App app(
      "Bouncing producer-consumer: each producer makes the next one, which thieves take first, and "
      "some consumers.",
      "bpc");
  std::uint32_t depth = 10'000;
  double producer_us = 0;
  double consumer_us = 10;
  apps::Bpc problem{.consumers = 9, .work = apps::Work::busy};
  apps::CommonOptions options;
  apps::add_number(app, "--depth", depth, 1, 1'000'000'000, "producers in a row; default 10000");
  apps::add_number(app, "--consumers", problem.consumers, 0, 1'000'000,
                   "of each producer; default 9: fewer are harder to balance");
  apps::add_number(app, "--producer-us", producer_us, 0, apps::kMaxTaskUs,
                   "length of a producer in microseconds; default 0");
  apps::add_number(app, "--consumer-us", consumer_us, 0, apps::kMaxTaskUs,
                   "length of a consumer in microseconds; default 10");
  apps::add_choice(app, "--work", problem.work, apps::kWorkNames, apps::kWorkHelp);
  apps::add_common_options(app, options);
  if (const auto status = apps::parse(session, app, options, argc, argv)) return *status;

  problem.producer_time = apps::from_us(producer_us);
  problem.consumer_time = apps::from_us(consumer_us);
  return apps::run_and_report(
      session, stop, options,
      {.program = "bpc",
       .config = {{"depth", depth},
                  {"consumers", problem.consumers},
                  {"producer_us", producer_us},
                  {"consumer_us", consumer_us},
                  {"work", apps::name_of(apps::kWorkNames, problem.work)}}},
      problem, belay::at_root(depth), [&](const apps::BpcResult& result, apps::Report& report) {
        report.result = to_json(result);
        report.check =
            apps::compare(report.result, to_json(problem.expected(depth)), "as the parameters say");
      });
}

}  // namespace

int main(int argc, char** argv) { return apps::run_stoppable_program("bpc", argc, argv, bpc); }
