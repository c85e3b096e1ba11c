// A division in advance: work is cut into parts before anyone begins, and nobody steals. It is what
// a balancer has to be better than.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "apps/common/options.hpp"
#include "belay/core/problem.hpp"
#include "belay/core/quantum.hpp"
#include "bench/peer.hpp"

namespace bench {

// --parts: into how many the work is divided; 0: one for each thread.
inline void add_parts_option(CLI::App& app, int& parts) {
  apps::add_number(
      app, "--parts", parts, 1, 1'000'000,
      "parts of the work, timed each; a thread works off one after the other; default: "
      "one for each thread");
}

// Of each part.
template <class Problem>
struct DoneParts {
  std::vector<typename Problem::Result> results;
  std::vector<double> seconds;
};

// Works off bag(0) to bag(parts - 1). With a thread for each part this is the division itself; with
// fewer threads each part is still timed as if it had a thread of its own, since it has a core of
// its own while it runs.
template <class Problem, class BagOf>
[[nodiscard]] DoneParts<Problem> work_off(const Problem& problem, int parts, int threads,
                                          BagOf bag_of) {
  const std::atomic<bool> nobody_waits{false};
  const auto count = static_cast<std::size_t>(parts);
  DoneParts<Problem> done{{count, problem.identity()}, std::vector<double>(count)};
  std::atomic<int> next{0};
  const auto work = [&] {
    auto local = belay::detail::make_local(problem);
    for (int part = next++; part < parts; part = next++) {
      const auto index = static_cast<std::size_t>(part);
      auto bag = bag_of(part);
      auto result = problem.identity();  // on a cache line of its own while it is worked on
      done.seconds[index] = seconds_of([&] {
        while (bag.size() > 0) {
          belay::Quantum quantum(nobody_waits, std::numeric_limits<std::uint32_t>::max());
          belay::detail::process(problem, bag, local, result, quantum);
        }
      });
      done.results[index] = std::move(result);
    }
  };
  std::vector<std::thread> team;
  team.reserve(static_cast<std::size_t>(threads));
  for (int thread = 0; thread < threads; ++thread) team.emplace_back(work);
  for (std::thread& thread : team) thread.join();
  return done;
}

}  // namespace bench
