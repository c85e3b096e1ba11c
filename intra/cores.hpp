// Cores: the processor cores that a process may use, and which worker runs on which.
//
// Respects what the process was given: the cpuset and affinity of the launcher, the container
// or the batch system. Where several processes of a host were given the same cores, each takes
// its share of them. The only file that knows hwloc is cores.cpp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace belay {

class Cores {
 public:
  // All that this process may use.
  Cores();
  ~Cores();
  Cores(const Cores&) = delete;
  Cores& operator=(const Cores&) = delete;

  // The allowed processing units as a list such as "0-3,8". Processes with equal lists on one
  // host share them.
  [[nodiscard]] std::string allowed() const;

  // Keeps the index-th of `count` equal parts; with fewer cores than parts each counts one
  // core and no thread will be bound.
  void keep_share(int index, int count);

  // Cores in this process's share; at least 1.
  [[nodiscard]] int count() const;

  // Binds the calling thread, worker `worker` of `workers`, to a core of its own. False if
  // there are more workers than processing units in the share, or the system refuses.
  [[nodiscard]] bool bind(int worker, int workers) const;

  // The posts that a worker robs, in order: the communication thread's (index `workers`),
  // where loot arrives, then the other workers, nearest first, cyclic among equals.
  [[nodiscard]] std::vector<std::size_t> robbing_order(int worker, int workers) const;

 private:
  class Topology;
  std::unique_ptr<Topology> topology_;
};

}  // namespace belay
