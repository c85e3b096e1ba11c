// What a belay program tells at its end: a text for people, and JSON with stable keys.
//
//   program   its name
//   config    every effective value: the program's own, then ranks and threads (workers of rank
//             0), and unless it is a plain program mpi_library and those of the run
//   result    the program's own
//   verdict   whether the result is right, and compared with what; only if it was compared
//   seconds   from the run's start to its result, on rank 0
//   tasks     of all workers
//   seconds_after_last_task  until the news of the end
//   stopped   the signal's name; only if there was one: there is no result then
//   ranks     what each rank counted, see statistics_json.hpp
//
// A plain program, one that does without belay's scheduler, has the same keys but for what it does
// not count: of a rank its host and its workers' tasks alone.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "apps/common/options.hpp"
#include "belay/core/parameters.hpp"
#include "belay/core/statistics.hpp"

namespace apps {

// A result beside another that is known to be right.
struct Check {
  bool right = true;
  std::string source{};    // of the other one: "as published for T1"
  std::string expected{};  // the other one: "nodes 4130071, depth 10"
};

struct Report {
  std::string program;
  nlohmann::ordered_json config{};  // flat, the program's own values
  nlohmann::ordered_json result{};  // flat, but for arrays, which the text leaves out
  std::string details{};            // lines of the text, after the result
  std::string table{};              // lines of the text, at its end
  std::optional<Check> check{};
  std::string stopped_by{};  // a signal's name, if one ended the run
  std::string mpi_library{};
  std::optional<belay::Parameters> parameters{};  // none: a plain program
  belay::Statistics statistics{};
  std::function<void()> finally{};  // what publish() does last, when the report is out
  std::string counted{};            // member of the result that the rate counts; none: tasks
};

// Both flat. What `expected` does not name, or is null there, is not known and may be anything.
[[nodiscard]] Check compare(const nlohmann::ordered_json& result,
                            const nlohmann::ordered_json& expected, std::string source);

// The exit status of a program with this report.
[[nodiscard]] int status_of(const Report& report);

// The report's `config`.
[[nodiscard]] nlohmann::ordered_json full_config(const Report& report);

[[nodiscard]] nlohmann::ordered_json to_json(const Report& report);
[[nodiscard]] std::string to_text(const Report& report);

// On rank 0. Text on stdout (on stderr if JSON goes there; nowhere with --quiet), JSON where
// --json says, and a wrong result on stderr in one line. Throws std::runtime_error if that cannot
// be written.
void publish(const Report& report, const ReportOptions& options);

}  // namespace apps
