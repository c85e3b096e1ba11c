// Quanta as a worker gives them that nobody disturbs.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>

#include "belay/core/problem.hpp"

namespace apps {

inline constexpr std::atomic<bool> kNobodyWaits{false};

// The tasks of `bag` that one quantum did; for problems whose result is their number.
template <belay::Problem P>
std::uint64_t process(const P& problem, typename P::Bag& bag, std::uint32_t quantum_tasks) {
  std::uint64_t tasks = 0;
  belay::Quantum quantum(kNobodyWaits, quantum_tasks);
  problem.process(bag, tasks, quantum);
  EXPECT_EQ(tasks, quantum.taken());
  return tasks;
}

}  // namespace apps
