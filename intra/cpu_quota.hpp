// The CPU quota: how much processor time the cgroups of this process allow it, version 1 and 2.
//
// A quota is no affinity: a container with 2 CPUs of 64 sees 64 cores, and with 64 threads on
// them is halted for most of each period. A cgroup's quota binds all below it together, so every
// ancestor that can be seen counts. Any thread may call it.
// Source: Linux, Documentation/admin-guide/cgroup-v2.rst and scheduler/sched-bwc.rst; proc(5);
// cgroup_namespaces(7).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace belay {

struct CpuQuota {
  double cpus = 0;           // CPU seconds per second, more than 0
  std::uint64_t cgroup = 0;  // names the cgroup that has it, alike for all processes of a host
};

// The smallest quota that applies to this process, of equal ones the outermost cgroup's; nothing
// if there is none, or none that can be understood. `root` is the folder in which proc/self/ and
// the mount points are looked for. Does not throw: what is missing or garbled is no limit.
[[nodiscard]] std::optional<CpuQuota> cpu_quota(const std::filesystem::path& root = "/");

}  // namespace belay
