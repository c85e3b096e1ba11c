// Initial work, said by type: every rank runs the same line, so a bare list would be
// ambiguous and is not accepted.
//
//   at_root(x)       x is there once, on rank 0 (the argument of other ranks is ignored)
//   on_each_rank(x)  each rank starts with the x it passed
//
// x is a bag of the problem, or in the short form a task or a vector of tasks.
#pragma once

#include <type_traits>
#include <utility>

namespace belay {

// Work that is there once, on rank 0; made by at_root().
template <class Work>
struct AtRoot {
  Work work;  // a bag, a task or a vector of tasks
};

// Work that every rank has of its own; made by on_each_rank().
template <class Work>
struct OnEachRank {
  Work work;  // a bag, a task or a vector of tasks
};

// The run starts with rank 0's work alone.
template <class Work>
AtRoot<std::remove_cvref_t<Work>> at_root(Work&& work) {
  return {std::forward<Work>(work)};
}

// The run starts with the work of all ranks; an empty bag or vector is none.
template <class Work>
OnEachRank<std::remove_cvref_t<Work>> on_each_rank(Work&& work) {
  return {std::forward<Work>(work)};
}

}  // namespace belay
