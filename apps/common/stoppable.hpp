// A program's run, which SIGTERM and SIGINT stop: it then reports what was counted so far and ends
// with status 128 + signal, on every rank, whichever rank got the signal.
#pragma once

#include <unistd.h>

#include <belay/belay.hpp>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "apps/common/options.hpp"
#include "apps/common/program.hpp"
#include "apps/common/progress_line.hpp"
#include "apps/common/report.hpp"
#include "apps/common/statistics_table.hpp"
#include "apps/common/stop_on_signal.hpp"
#include "apps/common/trace_file.hpp"

namespace apps {

namespace detail {

// Collective. If progress is to be shown, has the run show it on this line, which is made.
inline void show_progress(const belay::Session& session, ProgressWhen when,
                          const std::string& program, std::optional<ProgressLine>& line,
                          belay::Parameters& parameters) {
  constexpr double kShortRun = 2;  // seconds
  if (when == ProgressWhen::off) return;
  const bool is_terminal = session.broadcast(isatty(STDERR_FILENO) == 1);
  const bool always = when == ProgressWhen::on;
  if (!is_terminal && !always) return;
  line.emplace(program, std::cerr, is_terminal, always ? 0 : kShortRun);
  parameters.progress = [&line](const belay::Progress& progress) { line->show(progress); };
}

}  // namespace detail

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
  parameters.trace_events = options.trace.empty() ? 0 : options.trace_events;
  report.mpi_library = belay::Session::mpi_library();
  report.parameters = options.parameters;
  // So that the ranks agree on the status, whatever goes wrong on rank 0 while it tells.
  const auto status_of_root = [&](auto&& say) {
    return session.largest(session.rank() == 0 ? status_or_line(report.program, 0, say) : 0);
  };
  const auto tell_all = [&] {
    if (options.stats) report.table = statistics_table(report.statistics);
    publish(report, options);
    if (options.trace.empty()) return;
    write_trace(options.trace, {{"program", report.program}, {"config", full_config(report)}},
                report.statistics);
  };
  try {
    auto outcome = [&] {
      std::optional<ProgressLine> line;
      detail::show_progress(session, options.progress, report.program, line, parameters);
      const StopOnSignal::Catch catching(stop);
      return belay::run_with_statistics(session, problem, std::move(work), parameters);
    }();
    return status_of_root([&] {
      report.statistics = std::move(outcome.statistics);
      tell(outcome.result, report);
      tell_all();
      return status_of(report);
    });
  } catch (const belay::Stopped& stopped) {
    const int signal = session.largest(stop.signal());
    return status_of_root([&] {
      report.statistics = stopped.statistics();
      report.stopped_by = signal_name(signal);
      tell_all();
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
