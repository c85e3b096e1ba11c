// run(): one balanced computation over all ranks and threads of a session.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "belay/core/errors.hpp"
#include "belay/core/initial_work.hpp"
#include "belay/core/parameters.hpp"
#include "belay/core/problem.hpp"
#include "belay/core/runnable.hpp"
#include "belay/core/statistics.hpp"
#include "belay/core/task_problem.hpp"
#include "belay/inter/runtime/clock_of_root.hpp"
#include "belay/inter/runtime/collect.hpp"
#include "belay/inter/runtime/communication_thread.hpp"
#include "belay/inter/runtime/progress_reports.hpp"
#include "belay/inter/runtime/session.hpp"
#include "belay/inter/transport/ranks.hpp"
#include "belay/intra/clock.hpp"
#include "belay/intra/node.hpp"
#include "belay/intra/short_slice.hpp"

namespace belay {

// A run that was stopped through its std::stop_token. Carries what was counted until then.
class Stopped : public std::runtime_error {
 public:
  // The statistics of a run that ended early.
  explicit Stopped(Statistics statistics)
      : std::runtime_error("the run was stopped"), statistics_(std::move(statistics)) {}
  // Of all ranks on rank 0, of the own rank elsewhere, as in Outcome.
  [[nodiscard]] const Statistics& statistics() const noexcept { return statistics_; }

 private:
  Statistics statistics_;
};

namespace detail {

// This rank's share of the host's cores; 0: other ranks' threads run there too.
inline int own_cores(const Session& session) {
  return session.cores().crowded() ? 0 : session.cores().count();
}

inline NodeOptions node_options(const Session& session, const Parameters& parameters) {
  NodeOptions options;
  options.workers = parameters.threads > 0 ? parameters.threads : session.cores().count();
  options.chunks_shown = parameters.chunks_shown;
  options.share = Share::tasks(parameters.steal);
  options.quantum = parameters.quantum;
  options.spin = options.workers <= own_cores(session);
  options.has_other_nodes = session.size() > 1;
  options.trace_events = parameters.trace_events;
  options.rings_when_short = options.has_other_nodes && parameters.prefetch != Prefetch::off;
  return options;
}

// What is wrong with this rank's own arguments, or with its initial work, must not leave the other
// ranks without it: it takes part and fails.
template <Problem P, class MakeInitial>
void start_node(Node<P>& node, Session& session, int workers, bool bind,
                const MakeInitial& make_initial) {
  const Cores& cores = session.cores();
  node.start(
      [&session, workers, bind](int worker) {
        if (!bind) return;
        // A system that refuses to bind leaves the placement to its scheduler.
        const std::error_code refusal = session.cores().bind(worker, workers);
        if (refusal) session.warn_of_failed_binding(worker, refusal);
      },
      [&cores, workers](int worker) { return cores.robbing_order(worker, workers); });
  try {
    std::optional<typename P::Bag> initial = make_initial();
    if (!initial) return;
    std::vector<typename P::Bag> bags;
    bags.push_back(std::move(*initial));
    node.put(std::move(bags));
  } catch (...) {
    node.fail(describe_current_exception());
  }
}

template <class T>
T unpack_whole(std::span<const std::byte> bytes) {
  Unpacker unpacker(bytes);
  T value = unpacker.get<T>();
  BELAY_CHECK(unpacker.left() == 0, unpacker.left());
  return value;
}

// How collect() treats the result of this rank; empty after a run that did not succeed.
template <Problem P>
ResultCalls result_calls(std::optional<typename P::Result>& result) {
  using Result = typename P::Result;
  ResultCalls calls;
  calls.fold = [&result](std::span<const std::byte> bytes) {
    if (!result) return;
    P::reduce(*result, unpack_whole<Result>(bytes));
  };
  calls.pack = [&result] {
    Packer packer;
    if (result) packer.put(*result);
    return packer.take();
  };
  calls.adopt = [&result](std::span<const std::byte> bytes) {
    if (!result) return;
    result.emplace(unpack_whole<Result>(bytes));
  };
  calls.adopting_may_fail = !TravelsAsBytes<Result>;
  return calls;
}

// make_initial(): the bag that this rank begins with, if it has one.
template <Problem P, class MakeInitial>
Outcome<typename P::Result> run_bag(Session& session, const P& problem,
                                    const MakeInitial& make_initial, Parameters parameters) {
  const Session::Hold hold(session);
  std::exception_ptr refused;
  try {
    parameters.validate();
  } catch (const std::invalid_argument&) {
    refused = std::current_exception();
    // All ranks must collect alike.
    parameters = Parameters{.threads = 1,
                            .result_at = parameters.result_at,
                            .trace_events = parameters.trace_events,
                            .progress = std::move(parameters.progress),
                            .stop = std::move(parameters.stop)};
  }
  RankStatistics mine{.rank = session.rank(), .host = session.host()};
  const auto clock_box = session.ranks().mailbox(hold.run_number(), Ranks::Purpose::clocks);
  const auto read_clock = [&](ClockReading& reading) {
    if (parameters.trace_events == 0) return;
    session.or_abort(
        [&] { reading = read_clock_of_root(*clock_box, session.rank(), session.size()); });
  };
  read_clock(mine.trace.first);
  const std::int64_t start_ns = now_ns();
  mine.trace.start_ns = start_ns;

  const auto mailbox = session.ranks().mailbox(hold.run_number(), Ranks::Purpose::protocol);
  NodeOptions options = node_options(session, parameters);
  options.start_ns = start_ns;
  if (options.has_other_nodes && session.ranks().any_thread_may_call()) {
    if (!options.spin) options.watch_ns = NodeOptions::kRareWatchNs;
    options.network_calls = [&mailbox] { return mailbox->has_message(); };
  }
  if (!options.spin) session.warn_of_shared_cores(options.workers);
  std::optional<Cores::Stay> stay;
  if (parameters.bind) stay.emplace(session.cores());
  Node<P> node(problem, options);
  start_node(node, session, options.workers, parameters.bind,
             [&]() -> std::optional<typename P::Bag> {
               if (refused) std::rethrow_exception(refused);
               return make_initial();
             });
  std::unique_ptr<Mailbox> progress_box;
  std::optional<ProgressReports> progress;
  if (parameters.progress) {
    progress_box = session.ranks().mailbox(hold.run_number(), Ranks::Purpose::progress);
    progress.emplace(*progress_box, session.rank(), session.size(), parameters.progress, start_ns);
  }
  CommunicationThread<P> communication(
      problem, node, *mailbox,
      {.protocol = protocol_options(parameters, session.rank(), session.size(), options.workers),
       .run_number = hold.run_number(),
       .own_cores = own_cores(session),
       .progress = progress ? &*progress : nullptr,
       .start_ns = start_ns,
       .trace_events = parameters.trace_events});
  const ShortSlice prompt;  // after the workers have begun, who would inherit it
  session.or_abort([&] { communication.run(parameters.stop); });
  node.join();
  const std::int64_t end_ns = now_ns();
  mine.seconds = seconds_between(start_ns, end_ns);
  node.add_statistics(end_ns, mine);
  communication.add_statistics(end_ns, mine);
  if (progress) session.or_abort([&] { progress->finish(); });
  read_clock(mine.trace.last);

  Harvest harvest;
  harvest.statistics.push_back(std::move(mine));
  std::optional<typename P::Result> result;
  std::optional<typename P::Result> elsewhere;  // what other ranks than the root return
  if (communication.outcome() == RunOutcome::success) {
    try {
      result.emplace(node.result());
      if (parameters.result_at == ResultAt::root) elsewhere.emplace(problem.identity());
    } catch (...) {
      harvest.failure = Failure{session.rank(), describe_current_exception()};
    }
  } else if (communication.outcome() == RunOutcome::failed &&
             communication.failed_rank() == session.rank()) {
    harvest.failure = Failure{session.rank(), *node.failure()};
  }
  const auto collect_box = session.ranks().mailbox(hold.run_number(), Ranks::Purpose::collect);
  session.or_abort([&] {
    collect(*collect_box, session.rank(), session.size(), harvest, result_calls<P>(result),
            parameters.result_at);
  });

  Statistics statistics{seconds_between(start_ns, now_ns()), std::move(harvest.statistics)};
  if (refused) std::rethrow_exception(refused);
  if (harvest.failure) throw Error(harvest.failure->rank, harvest.failure->message);
  if (!result) throw Stopped(std::move(statistics));
  if (elsewhere && session.rank() != 0) result = std::move(elsewhere);
  return {std::move(*result), std::move(statistics)};
}

// In the short form: a vector of tasks.
template <class Work, class P>
concept IsTasksOf = requires {
  requires std::same_as<Work, std::vector<typename P::Task>>;
};

// The bag that this rank starts with, from what the program said.
template <class P, class Work>
std::optional<typename P::Bag> initial_bag(const Session& /*session*/, OnEachRank<Work> initial) {
  if constexpr (std::same_as<Work, typename P::Bag>) {
    return std::move(initial.work);
  } else if constexpr (IsTasksOf<Work, P>) {
    return typename P::Bag(std::make_move_iterator(initial.work.begin()),
                           std::make_move_iterator(initial.work.end()));
  } else {
    static_assert(
        requires { typename P::Task; } && std::convertible_to<Work, typename P::Task>,
        "belay: initial work is a bag of the problem, or in the short form a task or a vector "
        "of tasks");
    typename P::Bag bag;
    bag.push_back(std::move(initial.work));
    return bag;
  }
}

template <class P, class Work>
std::optional<typename P::Bag> initial_bag(const Session& session, AtRoot<Work> initial) {
  if (session.rank() != 0) return std::nullopt;
  return initial_bag<P>(session, OnEachRank<Work>{std::move(initial.work)});
}

template <Problem P, class Work>
Outcome<typename P::Result> run_work(Session& session, const P& problem, Work work,
                                     const Parameters& parameters) {
  return run_bag(
      session, problem, [&] { return initial_bag<P>(session, std::move(work)); }, parameters);
}

}  // namespace detail

// Runs the problem from its initial work, at_root(x) or on_each_rank(x), until no task is left
// on any rank. Collective: all ranks of the session call it with the same arguments, but for
// the work, the threads and the stop token. Returns an Outcome: the reduced result, where
// parameters.result_at wants it, and the statistics, of all ranks on rank 0, of the own rank
// elsewhere.
//
// Throws on every rank: Error, when user code threw on some rank or another rank's parameters are
// out of range; std::invalid_argument, when this rank's are; Stopped, when some rank's
// parameters.stop was requested. Throws on this rank alone, before the others wait for it:
// std::logic_error when a run of the session is going on, or the thread may not call MPI. After
// any of these the session can run again. What cannot be mended (MPI fails, a message is not
// one of belay's) is said on stderr and ends the program on all ranks.
template <class P, class Work>
auto run_with_statistics(Session& session, const P& problem, Work work,
                         const Parameters& parameters = {}) {
  if constexpr (require_runnable<P, Work>()) {
    if constexpr (Problem<P>) {
      return detail::run_work(session, problem, std::move(work), parameters);
    } else {
      return detail::run_work(session, TaskProblem<P>(problem), std::move(work), parameters);
    }
  }
}

// The same, without the statistics.
template <class P, class Work>
auto run(Session& session, const P& problem, Work work, const Parameters& parameters = {}) {
  if constexpr (require_runnable<P, Work>()) {
    return run_with_statistics(session, problem, std::move(work), parameters).result;
  }
}

}  // namespace belay
