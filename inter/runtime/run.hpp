// run(): one balanced computation over all ranks and threads of a session.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
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
#include "belay/core/statistics.hpp"
#include "belay/core/task_problem.hpp"
#include "belay/inter/mpi/mailbox.hpp"
#include "belay/inter/runtime/collect.hpp"
#include "belay/inter/runtime/communication_thread.hpp"
#include "belay/inter/runtime/session.hpp"
#include "belay/intra/node.hpp"
#include "belay/intra/short_slice.hpp"

namespace belay {

// A run that was stopped through its std::stop_token. Carries what was counted until then.
class Stopped : public std::runtime_error {
 public:
  explicit Stopped(Statistics statistics)
      : std::runtime_error("the run was stopped"), statistics_(std::move(statistics)) {}
  [[nodiscard]] const Statistics& statistics() const noexcept { return statistics_; }

 private:
  Statistics statistics_;
};

namespace detail {

inline NodeOptions node_options(const Session& session, const Parameters& parameters) {
  NodeOptions options;
  options.workers = parameters.threads > 0 ? parameters.threads : session.cores().count();
  options.chunks_shown = parameters.chunks_shown;
  options.share = Share::tasks(parameters.steal);
  options.quantum = parameters.quantum;
  options.spin = options.workers <= session.cores().count() && !session.cores().crowded();
  options.has_other_nodes = session.size() > 1;
  options.rings_when_short = options.has_other_nodes && parameters.prefetch;
  return options;
}

inline ProtocolOptions protocol_options(const Session& session, const Parameters& parameters,
                                        int workers) {
  ProtocolOptions options;
  options.rank = session.rank();
  options.size = session.size();
  options.policy = parameters.policy;
  options.random_steals = parameters.random_steals;
  options.lifelines = parameters.lifelines;
  options.steal_half = parameters.steal == 0;
  options.prefetch = parameters.prefetch;
  options.prefetch_below = parameters.prefetch_below > 0
                               ? parameters.prefetch_below
                               : static_cast<std::uint32_t>(std::max(1, workers / 2));
  options.seed = parameters.seed;
  return options;
}

// Each run of a session has two tags of its own, out of the 32768 that every MPI has.
inline int protocol_tag(std::uint32_t run_number) {
  return static_cast<int>(2 * (run_number % 16'384));
}
inline int collect_tag(std::uint32_t run_number) { return protocol_tag(run_number) + 1; }

template <Problem P>
void start_node(Node<P>& node, Session& session, int workers, bool bind,
                std::optional<typename P::Bag> initial) {
  const Cores& cores = session.cores();
  node.start(
      [&session, workers, bind](int worker) {
        if (!bind) return;
        // A system that refuses to bind leaves the placement to its scheduler.
        const std::error_code refusal = session.cores().bind(worker, workers);
        if (refusal) session.warn_of_failed_binding(worker, refusal);
      },
      [&cores, workers](int worker) { return cores.robbing_order(worker, workers); });
  if (initial) {
    std::vector<typename P::Bag> bags;
    bags.push_back(std::move(*initial));
    node.put(std::move(bags));
  }
}

// How collect() treats the result of this rank; empty after a run that did not succeed.
template <Problem P>
ResultCalls result_calls(std::optional<typename P::Result>& result) {
  using Result = typename P::Result;
  ResultCalls calls;
  calls.fold = [&result](std::span<const std::byte> bytes) {
    if (!result) return;
    Unpacker unpacker(bytes);
    P::reduce(*result, unpacker.get<Result>());
  };
  calls.pack = [&result] {
    Packer packer;
    if (result) packer.put(*result);
    return packer.take();
  };
  calls.adopt = [&result](std::span<const std::byte> bytes) {
    if (!result) return;
    Unpacker unpacker(bytes);
    result.emplace(unpacker.get<Result>());
  };
  return calls;
}

template <Problem P>
Outcome<typename P::Result> run_bag(Session& session, const P& problem,
                                    std::optional<typename P::Bag> initial,
                                    const Parameters& parameters) {
  parameters.validate();
  const Session::Hold hold(session);
  const auto start = std::chrono::steady_clock::now();

  Mailbox mailbox(session.communicator(), protocol_tag(hold.run_number()));
  NodeOptions options = node_options(session, parameters);
  if (options.has_other_nodes && session.serialized()) {
    if (!options.spin) options.watch_ns = NodeOptions::kRareWatchNs;
    options.network_calls = [&mailbox] { return mailbox.has_message(); };
  }
  if (!options.spin) session.warn_of_shared_cores(options.workers);
  std::optional<Cores::Stay> stay;
  if (parameters.bind) stay.emplace(session.cores());
  Node<P> node(problem, options);
  start_node(node, session, options.workers, parameters.bind, std::move(initial));
  CommunicationThread<P> communication(
      problem, node, mailbox, protocol_options(session, parameters, options.workers),
      hold.run_number(), options.workers < session.cores().count() && !session.cores().crowded());
  const ShortSlice prompt;  // after the workers have begun, who would inherit it
  session.or_abort([&] { communication.run(parameters.stop); });
  node.join();

  Harvest harvest;
  harvest.statistics.push_back(
      {session.rank(), session.host(), node.statistics(), communication.statistics()});
  std::optional<typename P::Result> result;
  if (communication.outcome() == RunOutcome::success) {
    try {
      result.emplace(node.result());
    } catch (...) {
      harvest.failure = Failure{session.rank(), describe_current_exception()};
    }
  } else if (communication.outcome() == RunOutcome::failed &&
             communication.failed_rank() == session.rank()) {
    harvest.failure = Failure{session.rank(), *node.failure()};
  }
  Mailbox collect_box(session.communicator(), collect_tag(hold.run_number()));
  session.or_abort([&] {
    collect(collect_box, session.rank(), session.size(), harvest, result_calls<P>(result));
  });

  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  Statistics statistics{seconds.count(), std::move(harvest.statistics)};
  if (harvest.failure) throw Error(harvest.failure->rank, harvest.failure->message);
  if (!result) throw Stopped(std::move(statistics));
  return {std::move(*result), std::move(statistics)};
}

// In the short form: a vector of tasks.
template <class Work, class P>
concept IsTasksOf = requires {
  requires std::same_as<Work, std::vector<typename P::Task>>;
};

// The bag that this rank starts with, from what the program said.
template <class P, class Work>
std::optional<typename P::Bag> initial_bag(const Session&, OnEachRank<Work> initial) {
  if constexpr (std::same_as<Work, typename P::Bag>) {
    return std::move(initial.work);
  } else if constexpr (IsTasksOf<Work, P>) {
    return typename P::Bag(std::make_move_iterator(initial.work.begin()),
                           std::make_move_iterator(initial.work.end()));
  } else {
    static_assert(
        requires { typename P::Task; } && std::convertible_to<Work, typename P::Task>,
        "initial work is a bag of the problem, or in the short form a task or a vector "
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

template <class T>
inline constexpr bool is_initial_work = false;
template <class Work>
inline constexpr bool is_initial_work<AtRoot<Work>> = true;
template <class Work>
inline constexpr bool is_initial_work<OnEachRank<Work>> = true;

}  // namespace detail

// A problem in the long form or a task function in the short form.
template <class P>
concept Runnable = Problem<P> || TaskFunction<P>;

// Runs the problem from its initial work, at_root(x) or on_each_rank(x), until no task is left
// on any rank. Collective: all ranks of the session call it with the same arguments, but for
// the work, the threads and the stop token. Returns the reduced result, the same on every
// rank, and the statistics, of all ranks on rank 0, of the own rank elsewhere.
//
// Throws on every rank: Error, when user code threw on some rank; Stopped, when some rank's
// parameters.stop was requested; std::invalid_argument for parameters out of range;
// std::logic_error when a run of the session is going on, or the thread may not call MPI. After
// any of these the session can run again. What cannot be mended (MPI fails, a message is not
// one of belay's) is said on stderr and ends the program on all ranks.
template <Runnable P, class Work>
requires detail::is_initial_work<Work>
auto run_with_statistics(Session& session, const P& problem, Work work,
                         const Parameters& parameters = {}) {
  if constexpr (Problem<P>) {
    return detail::run_bag(session, problem, detail::initial_bag<P>(session, std::move(work)),
                           parameters);
  } else {
    const TaskProblem<P> adapted(problem);
    return detail::run_bag(session, adapted,
                           detail::initial_bag<TaskProblem<P>>(session, std::move(work)),
                           parameters);
  }
}

// The same, without the statistics.
template <Runnable P, class Work>
requires detail::is_initial_work<Work>
typename P::Result run(Session& session, const P& problem, Work work,
                       const Parameters& parameters = {}) {
  return run_with_statistics(session, problem, std::move(work), parameters).result;
}

}  // namespace belay
