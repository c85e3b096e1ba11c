// What tests of whole runs have in common.
#pragma once

#include <belay/belay.hpp>

namespace belay::test {

inline Parameters with_threads(int threads) {
  Parameters parameters;
  parameters.threads = threads;
  return parameters;
}

// Spawns itself until told to end.
struct Endless {
  using Task = int;
  using Result = int;
  void operator()(Task task, Spawn<Task>& spawn, Result& /*result*/) const { spawn(task); }
  static void reduce(Result& into, Result&& from) { into += from; }
};

}  // namespace belay::test
