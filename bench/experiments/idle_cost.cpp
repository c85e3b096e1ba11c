// idle_cost: how much of a core idle workers use.
//
// One worker has a task that sleeps for two seconds, so that all the processor time of the
// process is that of its other workers, which have nothing to do, and of the communication
// thread. It is measured from 0.2 s after the run began, when all have settled, to the task's
// end. Every wake-up counts: sleeps are shown too.
#include <CLI/CLI.hpp>
#include <belay/belay.hpp>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <thread>

#include "apps/common/options.hpp"
#include "apps/common/program.hpp"
#include "bench/experiments/processor_time.hpp"

namespace {

// A task of so many seconds; the result is the share of a core that the process used meanwhile.
struct Sleep {
  using Task = double;
  using Result = double;
  void operator()(Task seconds, belay::Spawn<Task>& /*spawn*/, Result& used) const {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const double before = bench::processor_seconds();
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    used = (bench::processor_seconds() - before) / seconds;
  }
  static void reduce(Result& into, Result&& from) { into += from; }
};

int idle_cost(belay::Session& session, int argc, char** argv) {
  CLI::App app("Processor time of idle workers.", "idle_cost");
  belay::Parameters parameters;
  parameters.threads = 4;
  double seconds = 2;
  apps::ReportOptions none;
  apps::add_number(app, "--threads", parameters.threads, 1, 4096, "workers per rank; default 4");
  apps::add_number(app, "--seconds", seconds, 0.01, 1000.0, "of the task; default 2");
  if (const auto status = apps::parse(session, app, none, argc, argv)) return *status;

  const auto [used, statistics] =
      belay::run_with_statistics(session, Sleep{}, belay::at_root(seconds), parameters);
  if (session.rank() == 0) {
    std::uint64_t sleeps = 0;
    for (const auto& worker : statistics.ranks.front().workers) sleeps += worker.sleeps;
    std::cout << parameters.threads - 1 << " idle workers used " << std::fixed
              << std::setprecision(3) << 100 * used << " % of a core; they fell asleep " << sleeps
              << " times\n";
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run_program<belay::Session>("idle_cost", argc, argv, idle_cost);
}
