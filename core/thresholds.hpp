// Thresholds at which workers, real or simulated, do more than go on with their bags.
#pragma once

#include <cstdint>

namespace belay {

// How long adaptive quanta are to be, ns, while the deque shows less than it should. Simulated on a
// critical binomial tree, 3 to 6 us are best.
inline constexpr std::int64_t kShortQuantumNs = 5'000;
// And while it shows enough. Ten times as long makes the two clock readings of a quantum (60 ns)
// cost 0.1 %.
inline constexpr std::int64_t kLongQuantumNs = 50'000;

// A bag is worth splitting with so many tasks, or so much work. Simulated on trees of several
// kinds with tasks of 46 to 184 ns, 8 to 16 tasks gain 1 to 3 % over splitting all bags, whatever
// work that is; with tasks of 644 ns four gain 0.1 % and 16 lose 0.3 %.
inline constexpr std::uint32_t kManyTasks = 12;
// So much work, ns, as above.
inline constexpr std::int64_t kMuchWorkNs = 1'500;

// With fewer tasks for each of its workers, or than fill the longest quantum if that is less, a
// node will soon run out of work. Simulated on binomial trees, 20 gain 0.1 % or lose 0.4 %, and
// 80 lose 0.1 % or gain 0.2 %.
inline constexpr std::uint32_t kFewTasks = 40;

// Chunks that a deque should show if a single task fills the longest quantum: halves of halves of
// any bag, but not a chunk for each task where a share is one task. With 16 workers, each with ten
// tasks of 100 ms, it makes 10.0 of 11.0 task lengths.
inline constexpr std::int64_t kShownIfCoarse = 32;

// A worker is short of work after it tried to publish so many times in a row and has nothing to
// show. With coarse tasks once is enough: the next task may be the last before a long wait.
inline constexpr int kTimesShort = 2;

// Tasks: has a worker's bag outgrown the chunks that its deque shows, of which the oldest is the
// next to be stolen? That is then a small part of what the worker has, and half of all can be shown
// without taking one of them apart. Simulated on binomial trees, bags that are 2 or 8 times as
// large as the oldest chunk in place of 4 gain at most 0.1 % or lose 0.2 %, and with 2 a geometric
// tree loses 0.04 %.
[[nodiscard]] constexpr bool outgrown(std::uint64_t oldest, std::uint64_t all,
                                      std::uint64_t bag) noexcept {
  return bag >= 4 * oldest && bag >= all + 2;
}

// Tasks: a node has few below this. One that has few has until it has twice as many as are few, so
// that one whose number goes to and fro does not ask its communication thread for help again and
// again.
[[nodiscard]] constexpr std::uint64_t few_bound(bool has_few, std::uint64_t few) noexcept {
  return has_few ? 2 * few : few;
}

// Does a node that has few tasks no longer have few with so many, or now one that has more?
[[nodiscard]] constexpr bool few_changes(bool has_few, std::uint64_t tasks,
                                         std::uint64_t few) noexcept {
  return (tasks < few_bound(has_few, few)) != has_few;
}

}  // namespace belay
