// A run that never was, and what it would have written: the report and the trace of the same
// events.
//
// Both are counted here straight from the list of what happened, by other means than those that
// read them. The same numbers every time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "apps/report/life_story.hpp"

namespace apps::test {

struct Span {
  std::size_t rank;
  std::size_t thread;
  belay::ThreadState state;
  std::int64_t begin_ns;
  std::int64_t end_ns;
  std::int64_t tasks;
};

struct Steal {
  std::size_t rank;
  std::size_t thief;
  std::size_t victim;  // `workers`: the communication thread
  std::int64_t at_ns;
  std::int64_t tasks;
};

struct Request {
  std::size_t thief;  // ranks
  std::size_t victim;
  const char* kind;
  std::int64_t at_ns;
  std::int64_t loot_at_ns;  // 0: refused
  std::int64_t tasks;
};

struct MadeUpRun {
  std::size_t ranks;
  std::size_t workers;  // of each rank
  std::int64_t end_ns = 0;
  std::vector<Span> spans{};  // of each thread in the order of time
  std::vector<Steal> steals{};
  std::vector<Request> requests{};
  std::vector<std::pair<std::size_t, std::int64_t>> searches_ns{};  // of a rank's workers
};

// Work spreads from rank 0, is stolen for a second, and ends in idleness.
[[nodiscard]] MadeUpRun make_up_run(std::size_t ranks, std::size_t workers);

[[nodiscard]] nlohmann::ordered_json report_of(const MadeUpRun& run);
[[nodiscard]] std::string trace_of(const MadeUpRun& run);

}  // namespace apps::test
