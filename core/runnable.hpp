// Runnable: what run() accepts, and sentences for the compiler to say when it does not.
#pragma once

#include <concepts>

#include "belay/core/initial_work.hpp"
#include "belay/core/problem.hpp"
#include "belay/core/task_problem.hpp"

namespace belay {

// A problem in the long form or a task function in the short form.
template <class P>
concept Runnable = Problem<P> || TaskFunction<P>;

namespace detail {

template <class P>
concept NamesBag = requires {
  typename P::Bag;
};
template <class P>
concept NamesTask = requires {
  typename P::Task;
};
template <class P>
concept NamesResult = requires {
  typename P::Result;
};

template <class P>
constexpr void explain_problem() {
  static_assert(TaskBag<typename P::Bag>,
                "belay: Bag must be movable and have size() const, which counts its tasks");
  static_assert(MakesEmptyBags<P>, "belay: wanted: Bag empty_bag() const");
  static_assert(HasIdentity<P>, "belay: wanted: Result identity() const");
  static_assert(MakesItsLocal<P>,
                "belay: a problem that names Local needs Local make_local() const");
  static_assert(ProcessesBags<P>,
                "belay: wanted: void process(Bag&, Result&, belay::Quantum&) const, or "
                "void process(Bag&, Local&, Result&, belay::Quantum&) const");
  static_assert(SplitsBags<P>, "belay: wanted: Bag split(Bag&, belay::Share) const");
  static_assert(MergesBags<P>, "belay: wanted: void merge(Bag& into, Bag&& from) const");
  static_assert(PacksBags<P>, "belay: wanted: void pack(const Bag&, belay::Packer&) const");
  static_assert(UnpacksBags<P>, "belay: wanted: Bag unpack(belay::Unpacker&) const");
}

template <class F>
constexpr void explain_task_function() {
  static_assert(TaskThatTravels<typename F::Task>,
                "belay: Task cannot travel to another rank: it must be movable, and trivially "
                "copyable (no pointer), or known to cereal, or have void pack(belay::Packer&) "
                "const and static Task unpack(belay::Unpacker&)");
  static_assert(std::default_initializable<typename F::Result>,
                "belay: Result{} must be the identity of reduce");
  static_assert(RunsTasks<F>,
                "belay: wanted: void operator()(Task, belay::Spawn<Task>&, Result&) const");
}

template <class P>
constexpr void explain_what_is_missing() {
  static_assert(NamesResult<P>, "belay: wanted: a type Result, what run() returns");
  static_assert(NamesBag<P> || NamesTask<P>,
                "belay: wanted: a type Task (the short form, core/task_problem.hpp) or a type Bag "
                "(the long form, core/problem.hpp)");
  if constexpr (NamesResult<P>) {
    static_assert(ResultThatTravels<typename P::Result>,
                  "belay: Result cannot travel to another rank: it must be movable, and trivially "
                  "copyable (no pointer), or known to cereal, or have void pack(belay::Packer&) "
                  "const and static Result unpack(belay::Unpacker&)");
    static_assert(ReducesResults<P>,
                  "belay: wanted: static void reduce(Result& into, Result&& from)");
    if constexpr (NamesBag<P>) {
      explain_problem<P>();
    } else if constexpr (NamesTask<P>) {
      explain_task_function<P>();
    }
  }
}

template <class T>
inline constexpr bool is_initial_work = false;
template <class Work>
inline constexpr bool is_initial_work<AtRoot<Work>> = true;
template <class Work>
inline constexpr bool is_initial_work<OnEachRank<Work>> = true;

}  // namespace detail

// True; or it refuses to compile, with a sentence that says what P or Work lacks.
template <class P, class Work>
constexpr bool require_runnable() {
  if constexpr (!Runnable<P>) detail::explain_what_is_missing<P>();
  static_assert(detail::is_initial_work<Work>,
                "belay: initial work is at_root(x) or on_each_rank(x), since every rank runs the "
                "same line");
  return Runnable<P> && detail::is_initial_work<Work>;
}

}  // namespace belay
