// What the figures of a run need, read from its report (--json) or its trace (--trace), each as it
// is or through gzip.
//
// A member that the file lacks is zero or empty here: reports of plain programs and of older ones
// tell less. The parser hands on the events of a trace one by one, so that memory holds the bytes
// of the file, once more what gzip packed, and little else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/file_bytes.hpp"
#include "apps/report/life_story.hpp"

namespace apps {

struct ThreadData {
  double tasks = 0;
  belay::PerState seconds{};
  // Tasks by victim: the rank's workers, behind them its communication thread. Short if there was
  // nothing from the last ones.
  std::vector<double> stolen_from{};
};

struct RankData {
  std::string host{};
  std::vector<ThreadData> workers{};
  ThreadData communication{};
  std::vector<double> loot_from{};  // tasks by rank; short in the same way
};

// Counts by the lower edge of a bucket in ns; a bucket is a quarter of an octave wide.
using Histogram = std::map<std::uint64_t, double>;
inline constexpr std::uint64_t kShortestNs = 64;  // what is shorter counts as that

struct RunData {
  std::string program{};
  nlohmann::ordered_json config{};
  std::vector<std::string> remarks{};  // what else a reader of the figures should know
  double seconds = 0;
  std::vector<RankData> ranks{};
  LifeStory life_story{1e-6};
  Histogram search_times{};  // of workers, from out of work to a bag
  Histogram steal_times{};   // between ranks, from a request to the loot
};

// Both throw std::invalid_argument that says in one printable line what is wrong; read_run's begins
// with the path.
[[nodiscard]] RunData read_run(const std::string& path,
                               std::uint64_t memory_bytes = default_memory_bytes());
[[nodiscard]] RunData parse_run(std::string_view text);

}  // namespace apps
