// hybrid: counts prime numbers with belay between tasks and oneTBB inside each, without more
// threads at work than cores: an example for programs that have parallel algorithms already.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <belay/belay.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "apps/common/options.hpp"
#include "apps/common/stoppable.hpp"
#include "apps/hybrid/hybrid.hpp"

namespace {

int hybrid(belay::Session& session, const apps::StopOnSignal& stop, int argc, char** argv) {
  CLI::App app("Counts the prime numbers below N, in belay tasks that call oneTBB.", "hybrid");
  apps::CommonOptions options;
  std::uint32_t n = 0;
  apps::add_number(app, "N", n, 0, 100'000'000, "limit, 0 to 100000000")->required();
  apps::add_common_options(app, options);
  if (const auto status = apps::parse(session, app, options, argc, argv)) return *status;

  // One worker, unless more are asked for: oneTBB is to have the other cores. And nobody is bound,
  // since oneTBB's threads would inherit the one core of the worker that starts them.
  const int cores = session.cores().count();
  options.parameters.threads = std::max(options.parameters.threads, 1);
  if (options.parameters.threads > cores) {
    throw std::invalid_argument("--threads " + std::to_string(options.parameters.threads) +
                                ": must be at most the rank's cores, " + std::to_string(cores));
  }
  options.parameters.bind = false;

  const apps::PrimesProblem problem(options.parameters.threads, cores);
  return apps::run_and_report(
      session, stop, options, {.program = "hybrid", .config = {{"n", n}, {"cores", cores}}},
      problem, belay::at_root(apps::Numbers{0, n}),
      [&](const apps::Primes& primes, apps::Report& report) {
        report.result = {{"primes", primes.count}, {"threads_at_once", primes.threads_at_once}};
        if (options.verify) {
          std::uint64_t expected = 0;
          for (std::uint32_t number = 0; number < n; ++number) {
            expected += apps::is_prime(number) ? 1 : 0;
          }
          report.check =
              apps::compare(report.result, {{"primes", expected}}, "as counted sequentially");
        }
      });
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run_stoppable_program("hybrid", argc, argv, hybrid);
}
