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

template <class Work>
struct AtRoot {
  Work work;
};

template <class Work>
struct OnEachRank {
  Work work;
};

template <class Work>
AtRoot<std::remove_cvref_t<Work>> at_root(Work&& work) {
  return {std::forward<Work>(work)};
}

template <class Work>
OnEachRank<std::remove_cvref_t<Work>> on_each_rank(Work&& work) {
  return {std::forward<Work>(work)};
}

}  // namespace belay
