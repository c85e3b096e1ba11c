// Cores: the processor cores that a process may use, and which worker runs on which.
//
// Respects what the process was given: the cpuset, affinity and CPU quota of the launcher, the
// container or the batch system. Where several processes of a host were given the same cores or
// the same quota, each takes its share. The only file that knows hwloc is cores.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "belay/intra/cpu_quota.hpp"

namespace belay {

// A machine for tests, where binding does not reach the system.
struct MadeUpMachine {
  std::string topology{};           // as hwloc's lstopo --input: "pack:2 numa:2 core:4 pu:2"
  std::string allowed{};            // processing units such as "0-3,8"; empty: all
  std::optional<CpuQuota> quota{};  // default: none
};

class Cores {
 private:
  class Topology;

 public:
  // What a process was given, for comparison with its neighbours on the host: equal numbers
  // mean the same cores, or the same quota; 0: no quota.
  struct Grant {
    std::uint64_t cores;
    std::uint64_t quota;
  };

  // All that this process may use. Throws std::runtime_error if hwloc cannot read the machine.
  Cores();
  // Throws std::invalid_argument if hwloc understands no such machine, or it has no allowed unit.
  explicit Cores(const MadeUpMachine& machine);
  ~Cores();
  Cores(const Cores&) = delete;
  Cores& operator=(const Cores&) = delete;

  [[nodiscard]] Grant grant() const;

  // Keeps this process's part of what it was given, which is host[mine], when the others of
  // `host` take theirs: equal parts of cores and quota among those to whom the same was given.
  // With fewer cores than parts each counts one core, and no thread will be bound. Once only.
  void divide(std::span<const Grant> host, std::size_t mine);

  // Workers that can run at full speed: the cores in this process's part, but no more than the
  // whole CPUs in its part of the quota; at least 1.
  [[nodiscard]] int count() const;

  // There are fewer cores than processes that were given them, so that this one has none to itself.
  [[nodiscard]] bool crowded() const;

  // The process was given a single core of a machine that has more.
  [[nodiscard]] bool given_one_of_many() const;

  // The processing unit for worker `worker` of `workers`, by the system's number: one of each
  // core first, then the cores' further hardware threads. Nothing if there are more workers
  // than units, or processes than cores: then nobody is bound.
  [[nodiscard]] std::optional<unsigned> unit(int worker, int workers) const;

  // Binds the calling thread to its unit, if it has one. The error is the system's if that
  // refuses, which leaves the thread where it was.
  [[nodiscard]] std::error_code bind(int worker, int workers) const;

  // Keeps the calling thread, which is no worker, among this process's part of the cores while
  // it lives: a communication thread that polls is not to disturb another process's worker.
  // Where there is no part, or the system refuses, it changes nothing.
  class Stay {
   public:
    explicit Stay(const Cores& cores);
    ~Stay();
    Stay(const Stay&) = delete;
    Stay& operator=(const Stay&) = delete;

   private:
    const Topology* topology_;
    std::string before_;  // where it was, as a list of units; empty: not moved
  };

  // The posts that a worker robs, in order: the communication thread's (index `workers`),
  // where loot arrives, then the other workers, nearest first, cyclic among equals.
  [[nodiscard]] std::vector<std::size_t> robbing_order(int worker, int workers) const;

 private:
  std::unique_ptr<Topology> topology_;
  std::optional<CpuQuota> quota_;
};

}  // namespace belay
