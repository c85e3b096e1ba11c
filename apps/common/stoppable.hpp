// A program's run, which SIGTERM and SIGINT stop: it then reports what was counted so far and ends
// with status 128 + signal, on every rank, whichever rank got the signal.
#pragma once

#include <belay/belay.hpp>
#include <string>

#include "apps/common/options.hpp"
#include "apps/common/program.hpp"
#include "apps/common/report.hpp"
#include "apps/common/stop_on_signal.hpp"

namespace apps {

// Collective. run(parameters) is one belay::run_with_statistics. `report`: what to say if it is
// stopped, but for the statistics. Throws EndedBySignal then.
template <class Run>
auto run_stoppable(belay::Session& session, const StopOnSignal& stop, const CommonOptions& options,
                   Report report, Run run) {
  belay::Parameters parameters = options.parameters;
  parameters.stop = stop.token();
  try {
    return run(parameters);
  } catch (const belay::Stopped& stopped) {
    const int signal = session.largest(stop.signal());
    if (session.rank() == 0) {
      report.mpi_library = belay::Session::mpi_library();
      report.parameters = options.parameters;
      report.statistics = stopped.statistics();
      report.stopped_by = signal_name(signal);
      report.counted = "tasks";
      report.count = report.statistics.tasks();
      publish(report, options);
    }
    throw EndedBySignal{signal};
  }
}

// The frame of such a program: body(session, stop, argc, argv) returns the exit status.
template <class Body>
int run_stoppable_program(const std::string& program, int argc, char** argv, Body body) {
  const StopOnSignal stop;  // before MPI starts its threads
  return run_program<belay::Session>(program, argc, argv,
                                     [&](belay::Session& session, int the_argc, char** the_argv) {
                                       return body(session, stop, the_argc, the_argv);
                                     });
}

}  // namespace apps
