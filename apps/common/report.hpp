// What a belay program tells at its end: a text for people, and JSON with stable keys.
//
//   program   its name
//   config    every effective value: the program's own, then ranks and threads (workers of rank
//             0), and unless it is a plain program mpi_library and those of the run
//   result    the program's own
//   seconds   from the run's start to its result, on rank 0
//   tasks     of all workers
//   stopped   the signal's name; only if there was one: there is no result then
//   ranks     [{rank, host, workers: [{tasks, steals, ...}],
//               communication: {sent, received: {random, lifeline, prefetch: {requests, ...}},
//                               loot_sent, ...}}]
//
// What the counters mean stands in core/statistics.hpp. A plain program, one that does without
// belay's scheduler, has the same keys but for what it does not count: of a worker the tasks
// alone, and no communication.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "apps/common/options.hpp"
#include "belay/core/parameters.hpp"
#include "belay/core/statistics.hpp"

namespace apps {

struct Report {
  std::string program;
  nlohmann::ordered_json config{};  // flat, the program's own values
  nlohmann::ordered_json result{};  // flat
  std::string verdict{};            // how the result was checked, if it was
  std::string stopped_by{};         // a signal's name, if one ended the run
  std::string mpi_library{};
  std::optional<belay::Parameters> parameters{};  // none: a plain program
  belay::Statistics statistics{};
  std::string counted{};  // what the rate counts, in the plural
  std::uint64_t count = 0;
};

[[nodiscard]] nlohmann::ordered_json to_json(const Report& report);
[[nodiscard]] std::string to_text(const Report& report);

// On rank 0. Text on stdout (on stderr if JSON goes there; nowhere with --quiet), JSON where
// --json says. Throws std::runtime_error if that cannot be written.
void publish(const Report& report, const ReportOptions& options);

}  // namespace apps
