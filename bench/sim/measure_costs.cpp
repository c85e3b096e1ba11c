// measure-costs: what things cost on this machine, as a file of machine_costs.hpp for simulations.
//
//   mpirun -n 2 measure-costs > costs.json
//
//   node_costs.hpp     uts_node_ns, publish_ns, local_steal_ns, wake_up_ns, task_bytes: by rank 0,
//                      while the other rank sleeps
//   message_costs.hpp  latency_*_ns (the 10th and the 90th percentile), bandwidth_gb_per_s,
//                      look_ns, service_ns: between the two ranks, which do nothing else
//   run_costs.hpp      pick_up_ns, idle_pick_up_ns, spin_ns and, where the communication thread
//                      has no core of its own, held_up_*: from the traces of whole runs
//
// look_around_ns and shares_cores follow from the code and from the ranks' cores. task_ns is not
// there: it is what a person wants it to be.
//
// All times are medians, since a mean is at the mercy of the few times, thousands of times as long,
// in which somebody else had the core. What is lost with them: a simulated cluster takes each cost
// to be the same every time, so where times differ by much, as those of pick-ups do (a thread
// may poll, or be asleep for a millisecond), it waits less in sum than this machine does.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "apps/common/options.hpp"
#include "apps/common/program.hpp"
#include "belay/inter/runtime/run.hpp"
#include "belay/inter/transport/exchange.hpp"
#include "bench/sim/message_costs.hpp"
#include "bench/sim/node_costs.hpp"
#include "bench/sim/run_costs.hpp"

namespace {

using Json = nlohmann::ordered_json;

// As many digits as make sense.
double rounded(double value) { return std::round(100 * value) / 100; }

// Collective: rank 0 measures, the other one sleeps until it is done.
Json node_costs(belay::Session& session, const bench::UtsExample& uts, int threads, int rounds) {
  const belay::Session::Hold hold(session);
  const auto mailbox = session.ranks().mailbox(hold.run_number(), belay::Ranks::Purpose::protocol);
  Json costs;
  session.or_abort([&] {
    if (session.rank() != 0) {
      belay::receive(*mailbox, 1);
      return;
    }
    costs["uts_node_ns"] = rounded(uts_node_ns(uts, rounds));
    costs["publish_ns"] = rounded(publish_ns(uts, rounds));
    costs["local_steal_ns"] = rounded(local_steal_ns(uts, rounds));
    costs["wake_up_ns"] = rounded(bench::wake_up_ns(session.cores(), threads, rounds));
    costs["task_bytes"] = rounded(task_bytes(uts));
    mailbox->send(1, {});
    belay::finish_sends(*mailbox);
  });
  return costs;
}

int measure_costs(belay::Session& session, int argc, char** argv) {
  CLI::App app("What things cost on this machine, for simulations. Run it over two ranks.",
               "measure-costs");
  belay::Parameters parameters;
  int rounds = 30;
  apps::ReportOptions files{.json = "-"};
  apps::add_number(app, "--threads", parameters.threads, 1, 4096,
                   "workers per rank; default: one per core of the rank's share of its host");
  apps::add_number(app, "--rounds", rounds, 1, 1000, "of each measurement; default 30");
  apps::add_output(app, files, "--json", files.json, "write the costs there; default: stdout");
  if (const auto status = apps::parse(session, app, files, argc, argv)) return *status;
  if (session.size() != 2) {
    throw std::invalid_argument("needs two ranks, as of mpirun -n 2, not " +
                                std::to_string(session.size()));
  }

  const int threads = belay::detail::node_options(session, parameters).workers;
  const bench::UtsExample uts;
  Json costs = node_costs(session, uts, threads, rounds);
  const auto messages = bench::message_costs(session, parameters, rounds);
  const auto runs = bench::run_costs(session, uts.problem, parameters, rounds, messages.latency_ns);
  if (session.rank() != 0) return 0;

  using Communication = belay::CommunicationThread<apps::UtsProblem>;
  costs["spin_ns"] = rounded(runs.spin_ns);
  costs["pick_up_ns"] = rounded(runs.pick_up_ns);
  costs["idle_pick_up_ns"] = rounded(runs.idle_pick_up_ns);
  costs["look_around_ns"] = std::chrono::nanoseconds(Communication::kWatchedSleep).count();
  costs["look_ns"] = rounded(messages.look_ns);
  costs["service_ns"] = rounded(messages.service_ns);
  const bool shares_cores = threads >= belay::detail::own_cores(session);
  costs["shares_cores"] = shares_cores ? 1 : 0;
  costs["held_up_share"] = shares_cores ? rounded(runs.held_up_share) : 0;
  costs["held_up_ns"] = shares_cores ? rounded(runs.held_up_ns) : 0;
  costs["latency_min_ns"] = rounded(messages.latency_p10_ns);
  costs["latency_max_ns"] = rounded(messages.latency_p90_ns);
  costs["bandwidth_gb_per_s"] = rounded(messages.bandwidth_gb_per_s);
  apps::write_output("--json", files.json,
                     [&](std::ostream& out) { out << costs.dump(2) << '\n'; });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run_program<belay::Session>("measure-costs", argc, argv, measure_costs);
}
