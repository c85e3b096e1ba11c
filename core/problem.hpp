// Problem: what a user's long form must offer. The scheduler knows nothing else.
//
// One problem object is shared by all workers of a rank; it is constant and never sent, so
// it is the place for immutable state such as a graph. It names
//
//   Bag     a container of tasks: movable, with size() counting its tasks. It holds no results.
//   Result  what one worker accumulates.
//   Local   optional: scratch memory, one per worker, made by make_local() on its thread.
//
// and has the functions that the concept below lists. What they owe:
//
//   empty_bag()              a bag without tasks.
//   identity()               the neutral element of reduce.
//   process(bag, [local,] result, quantum)
//                            runs tasks of the bag, one quantum.take() before each, until the
//                            bag is empty or take() says no; new tasks go into the bag. A long
//                            task may return in the middle, when quantum.should_yield() says that
//                            somebody waits for part of the bag: as long as the bag is not empty
//                            the same worker calls again with the same bag and local, and in
//                            between splits the bag at most. So what is half done may lie in the
//                            local, if the bag keeps its task and split leaves that one there.
//   split(bag, share)        moves part of the tasks into a new bag and returns it; an empty
//                            one when there is nothing to spare. At least one task stays. Half or
//                            a number of tasks is asked for, whatever k is.
//   merge(into, from)        adds all tasks of `from`. Neither is a bag that is being processed.
//   pack(bag, packer), unpack(unpacker)
//                            the bag as bytes and back, on another rank of the same program; not
//                            needed for a bag that travels (core/packing.hpp) by itself.
//   reduce(into, from)       static; associative and commutative.
//
// Source: the task bags of the GLB framework (Zhang et al., 2013, section 3), with results
// kept out of bags and the fence-free private bag of this design.
#pragma once

#include <concepts>
#include <cstddef>
#include <utility>

#include "belay/core/packing.hpp"
#include "belay/core/quantum.hpp"
#include "belay/core/share.hpp"

namespace belay {

namespace detail {

struct NoLocal {};

template <class P>
struct LocalType {
  using Type = NoLocal;
};
template <class P>
requires requires { typename P::Local; }
struct LocalType<P> {
  using Type = typename P::Local;
};

}  // namespace detail

// The problem's scratch type, or an empty one when it names none.
template <class P>
using LocalOf = typename detail::LocalType<P>::Type;

// A container of tasks that can be moved and counted.
template <class B>
concept TaskBag = std::movable<B> && requires(const B& bag) {
  { bag.size() } -> std::convertible_to<std::size_t>;
};

// A result that can be moved and sent.
template <class R>
concept ResultThatTravels = std::movable<R> && Travels<R>;

// What a problem must be able to do, piece by piece, so that a compiler names the missing one.

template <class P>
concept MakesEmptyBags = requires(const P& problem) {
  { problem.empty_bag() } -> std::same_as<typename P::Bag>;
};

template <class P>
concept HasIdentity = requires(const P& problem) {
  { problem.identity() } -> std::same_as<typename P::Result>;
};

template <class P>
concept MakesItsLocal = std::same_as<LocalOf<P>, detail::NoLocal> || requires(const P& problem) {
  { problem.make_local() } -> std::same_as<LocalOf<P>>;
};

template <class P>
concept ProcessesBags = requires(const P& problem, typename P::Bag& bag, LocalOf<P>& local,
                                 typename P::Result& result, Quantum& quantum) {
  problem.process(bag, local, result, quantum);
}
|| requires(const P& problem, typename P::Bag& bag, typename P::Result& result, Quantum& quantum) {
  problem.process(bag, result, quantum);
};

template <class P>
concept SplitsBags = requires(const P& problem, typename P::Bag& bag) {
  { problem.split(bag, Share::half()) } -> std::same_as<typename P::Bag>;
};

template <class P>
concept MergesBags = requires(const P& problem, typename P::Bag& into, typename P::Bag&& from) {
  problem.merge(into, std::move(from));
};

// Its bag travels by itself, and the problem has no other wish.
template <class P>
concept LeavesPackingToBags = Travels<typename P::Bag> && !requires {
  &P::pack;
}
&&!requires { &P::unpack; };

template <class P>
concept PacksBags = LeavesPackingToBags<P> ||
    requires(const P& problem, const typename P::Bag& bag, Packer& packer) {
  problem.pack(bag, packer);
};

template <class P>
concept UnpacksBags = LeavesPackingToBags<P> || requires(const P& problem, Unpacker& unpacker) {
  { problem.unpack(unpacker) } -> std::same_as<typename P::Bag>;
};

template <class P>
concept ReducesResults = requires(typename P::Result& into, typename P::Result&& from) {
  P::reduce(into, std::move(from));
};

// All of these; the head of this file says what each function owes.
template <class P>
concept Problem = TaskBag<typename P::Bag> && ResultThatTravels<typename P::Result> &&
    MakesEmptyBags<P> && HasIdentity<P> && MakesItsLocal<P> && ProcessesBags<P> && SplitsBags<P> &&
    MergesBags<P> && PacksBags<P> && UnpacksBags<P> && ReducesResults<P>;

namespace detail {

template <class P>
LocalOf<P> make_local(const P& problem) {
  if constexpr (requires { typename P::Local; }) {
    return problem.make_local();
  } else {
    return {};
  }
}

template <class P>
void pack_bag(const P& problem, const typename P::Bag& bag, Packer& packer) {
  if constexpr (LeavesPackingToBags<P>) {
    packer.put(bag);
  } else {
    problem.pack(bag, packer);
  }
}

template <class P>
typename P::Bag unpack_bag(const P& problem, Unpacker& unpacker) {
  if constexpr (LeavesPackingToBags<P>) {
    return unpacker.get<typename P::Bag>();
  } else {
    return problem.unpack(unpacker);
  }
}

template <class P>
void process(const P& problem, typename P::Bag& bag, LocalOf<P>& local, typename P::Result& result,
             Quantum& quantum) {
  if constexpr (requires { problem.process(bag, local, result, quantum); }) {
    problem.process(bag, local, result, quantum);
  } else {
    problem.process(bag, result, quantum);
  }
}

}  // namespace detail

}  // namespace belay
