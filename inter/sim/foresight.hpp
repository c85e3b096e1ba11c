// What a bag is asked about the tasks that it is going to have, so that a worker can be advanced
// over them in one step. Problems need not say anything; the answers then are cautious.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "belay/core/problem.hpp"

namespace belay::sim {

// How many tasks, up to `wanted`, the bag has for certain. A problem whose bags say more of
// themselves than their size has `foresee`.
template <Problem P>
std::uint64_t foresee(const P& problem, typename P::Bag& bag, std::uint64_t wanted) {
  if constexpr (requires { problem.foresee(bag, wanted); }) {
    return problem.foresee(bag, wanted);
  } else {
    return std::min<std::uint64_t>(bag.size(), wanted);
  }
}

// How many tasks the bag has, not counting those that it began in order to foresee them: what they
// leave behind is in it already, as far as that is known.
template <Problem P>
std::uint64_t tasks_held(const P& problem, const typename P::Bag& bag) {
  if constexpr (requires { problem.tasks_held(bag); }) {
    return problem.tasks_held(bag);
  } else {
    return bag.size();
  }
}

// How many tasks, about, the bag would have now had it begun none in order to foresee them.
template <Problem P>
std::uint64_t likely_size(const P& problem, const typename P::Bag& bag) {
  if constexpr (requires { problem.likely_size(bag); }) {
    return problem.likely_size(bag);
  } else {
    return bag.size();
  }
}

// How many of the bag's next tasks are done before it can be split. Where bags do not say, any one
// may be the last.
template <Problem P>
std::uint64_t indivisible_tasks(const P& problem, const typename P::Bag& bag) {
  if constexpr (requires { problem.indivisible_tasks(bag); }) {
    return problem.indivisible_tasks(bag);
  } else {
    return 0;
  }
}

// How many tasks, about, the bag will turn out to have. Where bags do not say, any number.
template <Problem P>
double expected_tasks(const P& problem, const typename P::Bag& bag) {
  if constexpr (requires { problem.expected_tasks(bag); }) {
    return problem.expected_tasks(bag);
  } else {
    return std::numeric_limits<double>::infinity();
  }
}

}  // namespace belay::sim
