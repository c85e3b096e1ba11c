// fib N: computes F(N) over all ranks and threads and checks it.
#include <CLI/CLI.hpp>
#include <belay/belay.hpp>
#include <utility>

#include "apps/common/options.hpp"
#include "apps/common/report.hpp"
#include "apps/common/stoppable.hpp"
#include "apps/fib/fib.hpp"

namespace {

// 1.6^90 tasks are out of reach, but F(90) still fits a long.
constexpr int kMaxN = 90;

long iterative_fibonacci(int n) {
  long f = 0;
  long next = 1;
  for (int i = 0; i < n; ++i) f = std::exchange(next, f + next);
  return f;
}

int fib(belay::Session& session, const apps::StopOnSignal& stop, int argc, char** argv) {
  CLI::App app("Computes the Nth Fibonacci number by its definition, over all ranks and threads.",
               "fib");
  apps::CommonOptions options;
  int n = 0;
  apps::add_number(app, "N", n, 0, kMaxN, "which one, 0 to 90")->required();
  apps::add_common_options(app, options);
  if (const auto status = apps::parse(session, app, options, argc, argv)) return *status;

  return apps::run_and_report(session, stop, options, {.program = "fib", .config = {{"n", n}}},
                              apps::Fib{}, belay::at_root(n), [n](long f, apps::Report& report) {
                                report.result = {{"fib", f}};
                                report.check =
                                    apps::compare(report.result, {{"fib", iterative_fibonacci(n)}},
                                                  "as by addition");
                              });
}

}  // namespace

int main(int argc, char** argv) { return apps::run_stoppable_program("fib", argc, argv, fib); }
