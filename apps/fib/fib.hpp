// Fibonacci numbers by their definition: the smallest program there is for belay.
//
// A task is n; F(n) is the sum of the leaves of its call tree.
#pragma once

#include "belay/core/task_problem.hpp"

namespace apps {

struct Fib {
  using Task = int;
  using Result = long;

  void operator()(Task n, belay::Spawn<Task>& spawn, Result& sum) const {
    if (n < 2) {
      sum += n;
    } else {
      spawn(n - 1);
      spawn(n - 2);
    }
  }

  static void reduce(Result& into, Result&& from) { into += from; }
};

}  // namespace apps
