// communication_cost: what the communication thread costs, and how soon it reacts.
//
//   loss          throughput that busy workers lose: each rank has more work of its own than it can
//                 do; tasks done in a time by a run over all ranks against those of runs over
//                 each rank alone, side by side
//   steal         from a request to the loot, while the victim's workers are busy with tasks of
//                 100 ns: rank 0 has all the work, one task a steal
//   end           from the last task's end to the return of run(), tasks on all ranks; on one host,
//                 whose ranks share a clock
//   idle          of a core, used by a rank whose workers have nothing to do, from 1.2 s after
//                 the run began
//
// Medians of rounds. Run it as mpirun -n RANKS communication_cost; with --funneled MPI is
// initialised with MPI_THREAD_FUNNELED, so that workers cannot look at the network.
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <belay/belay.hpp>
#include <chrono>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "apps/common/options.hpp"
#include "apps/common/program.hpp"
#include "bench/experiments/processor_time.hpp"
#include "bench/median.hpp"

namespace {

using Clock = std::chrono::steady_clock;

std::int64_t now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now().time_since_epoch())
      .count();
}

// A bag is a number of equal tasks of about 100 ns.
struct Count {
  struct Bag {
    std::uint64_t tasks = 0;
    [[nodiscard]] std::uint64_t size() const { return tasks; }
  };
  struct Result {
    std::uint64_t tasks = 0;
    std::uint64_t value = 1;
    std::int64_t last_us = 0;  // when the last task ended
  };

  [[nodiscard]] static Bag empty_bag() { return {}; }
  [[nodiscard]] static Result identity() { return {}; }
  static void process(Bag& bag, Result& result, belay::Quantum& quantum) {
    const std::uint64_t before = bag.tasks;
    for (; bag.tasks > 0 && quantum.take(); --bag.tasks) {
      for (int i = 0; i < 64; ++i) result.value = result.value * 6364136223846793005U + 1;
    }
    result.tasks += before - bag.tasks;
    result.last_us = now_us();
  }
  [[nodiscard]] static Bag split(Bag& bag, belay::Share share) {
    const Bag part{share.of(bag.tasks)};
    bag.tasks -= part.tasks;
    return part;
  }
  static void merge(Bag& into, Bag&& from) { into.tasks += from.tasks; }
  static void pack(const Bag& bag, belay::Packer& packer) { packer.put(bag); }
  [[nodiscard]] static Bag unpack(belay::Unpacker& unpacker) { return unpacker.get<Bag>(); }
  static void reduce(Result& into, Result&& from) {
    into.tasks += from.tasks;
    into.value ^= from.value;
    into.last_us = std::max(into.last_us, from.last_us);
  }
};

struct Sleep {
  using Task = double;
  using Result = int;
  void operator()(Task seconds, belay::Spawn<Task>& /*spawn*/, Result& /*result*/) const {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
  static void reduce(Result& /*into*/, Result&& /*from*/) {}
};

// Tasks that all ranks do until they are stopped, each starting with more than it can do.
double tasks_done(belay::Session& session, double seconds, belay::Parameters parameters) {
  constexpr std::uint64_t kEndless = std::uint64_t{1} << 50U;
  std::stop_source stop;
  parameters.stop = stop.get_token();
  MPI_Barrier(MPI_COMM_WORLD);
  std::thread timer([&] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    stop.request_stop();
  });
  double tasks = 0;
  try {
    belay::run(session, Count{}, belay::on_each_rank(Count::Bag{kEndless}), parameters);
  } catch (const belay::Stopped& stopped) {
    tasks = static_cast<double>(stopped.statistics().ranks.front().tasks());  // this rank's
  }
  timer.join();
  MPI_Allreduce(MPI_IN_PLACE, &tasks, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return tasks;
}

double loss(belay::Session& all, belay::Session& alone, double seconds, int rounds,
            const belay::Parameters& parameters) {
  std::vector<double> losses;
  belay::Parameters unbound = parameters;
  unbound.bind = false;  // a rank alone would take the first cores, as all the others
  for (int round = 0; round < rounds; ++round) {
    const double apart = tasks_done(alone, seconds, unbound);
    losses.push_back(1 - tasks_done(all, seconds, parameters) / apart);
  }
  return bench::median(losses);
}

belay::Durations steal_times(belay::Session& session, std::uint64_t tasks,
                             belay::Parameters parameters) {
  parameters.steal = 1;
  parameters.prefetch = belay::Prefetch::off;
  parameters.policy = belay::PolicyKind::ring;
  const auto statistics =
      belay::run_with_statistics(session, Count{}, belay::at_root(Count::Bag{tasks}), parameters)
          .statistics;
  belay::Durations times;
  for (const auto& rank : statistics.ranks) times.add(rank.communication.steal_times);
  return times;
}

double end_us(belay::Session& session, std::uint64_t tasks, int rounds,
              const belay::Parameters& parameters) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    const auto result =
        belay::run(session, Count{}, belay::on_each_rank(Count::Bag{tasks}), parameters);
    times.push_back(static_cast<double>(now_us() - result.last_us));
  }
  return bench::median(times);
}

// Of a core, by a rank other than 0.
double idle_share(belay::Session& session, double seconds, const belay::Parameters& parameters) {
  double used = 0;
  std::thread observer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    const double before = bench::processor_seconds();
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    used = (bench::processor_seconds() - before) / seconds;
  });
  belay::run(session, Sleep{}, belay::at_root(seconds + 1.5), parameters);
  observer.join();
  return 1e-6 * session.largest(session.rank() == 0 ? 0 : static_cast<int>(used * 1e6));
}

int communication_cost(belay::Session& session, int argc, char** argv) {
  CLI::App app("What the communication thread costs, and how soon it reacts.",
               "communication_cost");
  belay::Parameters parameters;
  parameters.threads = 1;
  int rounds = 7;
  double seconds = 1;
  apps::ReportOptions none;
  bool funneled = false;  // main has seen to it
  app.add_flag("--funneled", funneled, "must come first: initialise MPI with MPI_THREAD_FUNNELED");
  apps::add_number(app, "--threads", parameters.threads, 1, 4096, "workers per rank; default 1");
  apps::add_number(app, "--rounds", rounds, 1, 1000, "default 7");
  apps::add_number(app, "--seconds", seconds, 0.001, 1000.0, "of work per round; default 1");
  if (const auto status = apps::parse(session, app, none, argc, argv)) return *status;

  belay::Session alone(MPI_COMM_SELF);
  const double lost = loss(session, alone, seconds, rounds, parameters);
  const double end = end_us(session, 10'000, 10 * rounds, parameters);
  const double idle = idle_share(session, seconds, parameters);
  belay::Durations steals;
  if (session.size() > 1)
    steals = steal_times(session, static_cast<std::uint64_t>(1e7 * seconds), parameters);
  if (session.rank() == 0) {
    const auto us = [](std::int64_t ns) { return static_cast<double>(ns) / 1000; };
    std::cout << belay::Session::mpi_library() << ", " << session.size() << " ranks of "
              << parameters.threads << " workers"
              << (session.ranks().any_thread_may_call() ? "" : ", funneled") << '\n'
              << std::fixed << std::setprecision(2) << "loss   " << 100 * lost << " %\n"
              << std::setprecision(1) << "steal  median " << us(steals.quantile(0.5)) << " us, p90 "
              << us(steals.quantile(0.9)) << " us, of " << steals.count() << "\n"
              << "end    " << end << " us\n"
              << std::setprecision(2) << "idle   " << 100 * idle << " % of a core\n";
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const bool funneled = argc > 1 && std::string(argv[1]) == "--funneled";
  int provided = 0;
  if (funneled) MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const int status =
      apps::run_program<belay::Session>("communication_cost", argc, argv, communication_cost);
  if (funneled) MPI_Finalize();
  return status;
}
