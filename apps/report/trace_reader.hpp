// Turns the events of a trace, one by one, into what the figures need.
//
// Threads are known by their names, which come before their other events; the events of one thread
// come in the order of time. Halves of an arrow may come in either order; an arrow of which the
// trace has one half alone is left out.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apps/report/json_values.hpp"
#include "apps/report/run_data.hpp"

namespace apps {

class TraceReader {
 public:
  // Throws std::invalid_argument if the event is not what it should be.
  void take(const Json& event);

  // When all were taken.
  [[nodiscard]] RunData finish(const Json& other_data);

 private:
  struct Place {
    std::size_t rank;
    std::size_t thread;
    bool operator<(const Place& other) const {
      return std::pair(rank, thread) < std::pair(other.rank, other.thread);
    }
  };
  struct End {
    Place place{};
    double us = 0;
    double tasks = 0;
    bool known = false;
  };
  struct Arrow {
    End start{};
    End finish{};
  };
  // Of a rank and another, in time: it asked, or was given.
  struct Contact {
    enum class Kind : std::uint8_t { request, prefetch, loot };
    double us;
    Kind kind;
  };

  void take_name(const Json& event);
  void take_state(const Json& event);
  void take_arrow(const Json& event);
  void close(const std::string& name, const Arrow& arrow);
  void count_steal_times();
  RankData& rank_at(std::size_t rank);
  ThreadData& thread_at(Place place);

  RunData run_;
  std::map<std::size_t, std::size_t> communication_;  // by rank: the thread's index
  std::map<Place, double> out_of_work_since_us_;
  std::map<std::pair<std::string, std::uint64_t>, Arrow> open_arrows_;            // by name and id
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Contact>> contacts_;  // thief, victim
};

}  // namespace apps
