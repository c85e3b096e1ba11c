// A program's run, which SIGTERM and SIGINT stop: it then reports what was counted so far and ends
// with status 128 + signal, on every rank, whichever rank got the signal.
#pragma once

#include <belay/belay.hpp>
#include <string>
#include <utility>

#include "apps/common/options.hpp"
#include "apps/common/program.hpp"
#include "apps/common/report.hpp"
#include "apps/common/stop_on_signal.hpp"

namespace apps {

// Collective. Runs the problem and reports; returns the exit status, the same on every rank.
// tell(result, report) fills in report.result and, if there is something to compare it with,
// report.check. Rank 0 alone has the result and tells, even if checking takes a sequential run; the
// others wait. A run that was stopped reports too, with status 128 + signal.
template <belay::Runnable P, class Work, class Tell>
int run_and_report(belay::Session& session, const StopOnSignal& stop, const CommonOptions& options,
                   Report report, const P& problem, Work work, Tell tell) {
  belay::Parameters parameters = options.parameters;
  parameters.stop = stop.token();
  parameters.result_at = belay::ResultAt::root;
  report.mpi_library = belay::Session::mpi_library();
  report.parameters = options.parameters;
  // So that the ranks agree on the status, whatever goes wrong on rank 0 while it tells.
  const auto status_of_root = [&](auto&& say) {
    return session.largest(session.rank() == 0 ? status_or_line(report.program, 0, say) : 0);
  };
  try {
    auto outcome = [&] {
      const StopOnSignal::Catch catching(stop);
      return belay::run_with_statistics(session, problem, std::move(work), parameters);
    }();
    return status_of_root([&] {
      report.statistics = std::move(outcome.statistics);
      tell(outcome.result, report);
      publish(report, options);
      return status_of(report);
    });
  } catch (const belay::Stopped& stopped) {
    const int signal = session.largest(stop.signal());
    return status_of_root([&] {
      report.statistics = stopped.statistics();
      report.stopped_by = signal_name(signal);
      publish(report, options);
      return 128 + signal;
    });
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
