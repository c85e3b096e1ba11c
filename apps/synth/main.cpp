// synth: runs independent tasks of random lengths over all ranks and threads. Their number is
// checked, the sum of their lengths with --verify.
#include <CLI/CLI.hpp>
#include <belay/belay.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "apps/common/options.hpp"
#include "apps/common/stoppable.hpp"
#include "apps/common/work.hpp"
#include "apps/synth/synth.hpp"

namespace {

using Json = nlohmann::ordered_json;

struct SynthOptions {
  std::uint64_t count = 100'000;
  apps::LengthParameters lengths;
  bool everywhere = false;  // all ranks begin with their part; otherwise rank 0 has all tasks
  apps::Work work = apps::Work::busy;
};

void add_synth_options(CLI::App& app, SynthOptions& options) {
  apps::LengthParameters& p = options.lengths;
  apps::add_number(app, "--count", options.count, 0, 1'000'000'000'000, "tasks; default 100000");
  apps::add_choice(app, "--lengths", p.law, apps::kLengthLawNames,
                   "their law; default exponential");
  apps::add_number(app, "--mean-us", p.mean_us, 0, apps::kMaxTaskUs,
                   "their mean in microseconds; default 100");
  apps::add_number(app, "--pareto-shape", p.pareto_shape, 1.01, 1000,
                   "pareto: the nearer to 1, the more unequal; default 1.5");
  apps::add_number(app, "--long-share", p.long_share, 0, 1,
                   "bimodal: long tasks among all; default 0.1");
  apps::add_number(app, "--long-ratio", p.long_ratio, 1, 1e6,
                   "bimodal: length of a long one, in short ones; default 100");
  apps::add_number(app, "--lengths-seed", p.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                   "of the lengths; default 1");
  apps::add_choice<bool>(app, "--where", options.everywhere, {{"root", false}, {"each", true}},
                         "all tasks begin at rank 0, or each rank has its part; default root");
  apps::add_choice(app, "--work", options.work, apps::kWorkNames, apps::kWorkHelp);
}

Json to_json(const SynthOptions& options) {
  const apps::LengthParameters& p = options.lengths;
  const bool pareto = p.law == apps::LengthLaw::pareto;
  const bool bimodal = p.law == apps::LengthLaw::bimodal;
  return {{"count", options.count},
          {"lengths", apps::name_of(apps::kLengthLawNames, p.law)},
          {"mean_us", p.mean_us},
          {"pareto_shape", pareto ? Json(p.pareto_shape) : Json()},
          {"long_share", bimodal ? Json(p.long_share) : Json()},
          {"long_ratio", bimodal ? Json(p.long_ratio) : Json()},
          {"lengths_seed", p.seed},
          {"where", options.everywhere ? "each" : "root"},
          {"work", apps::name_of(apps::kWorkNames, options.work)}};
}

Json to_json(const apps::SynthResult& result) {
  return {{"tasks", result.tasks}, {"length_ns", result.length_ns}};
}

// What this rank begins with.
apps::Interval initial(const belay::Session& session, const SynthOptions& options) {
  if (!options.everywhere) return {0, session.rank() == 0 ? options.count : 0};
  return apps::part_of_rank(options.count, session.rank(), session.size());
}

int synth(belay::Session& session, const apps::StopOnSignal& stop, int argc, char** argv) {
  CLI::App app("Independent tasks whose lengths follow a law.", "synth");
  SynthOptions own;
  apps::CommonOptions options;
  add_synth_options(app, own);
  apps::add_common_options(app, options);
  if (const auto status = apps::parse(session, app, options, argc, argv)) return *status;

  const apps::Synth problem(own.lengths, own.work);
  return apps::run_and_report(
      session, stop, options, {.program = "synth", .config = to_json(own)}, problem,
      belay::on_each_rank(apps::IntervalBag(initial(session, own))),
      [&](const apps::SynthResult& result, apps::Report& report) {
        report.result = to_json(result);
        report.check =
            options.verify
                ? apps::compare(report.result, to_json(problem.sum_sequentially(own.count)),
                                "as added up sequentially")
                : apps::compare(report.result, {{"tasks", own.count}}, "as many as asked for");
      });
}

}  // namespace

int main(int argc, char** argv) { return apps::run_stoppable_program("synth", argc, argv, synth); }
