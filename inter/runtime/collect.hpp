// Collecting: after the protocol's end, results are combined up a binary tree of ranks and the
// whole goes back down to all who want it; statistics go to rank 0.
//
// Collective over the session's ranks; the communication thread of each. A failure of user
// code in reduce, pack or unpack travels like a result and comes out everywhere.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "belay/core/parameters.hpp"
#include "belay/core/statistics.hpp"
#include "belay/inter/transport/mailbox.hpp"

namespace belay {

struct Failure {
  int rank = 0;
  std::string message;
};

// What a rank brings, and after collect() what it takes home.
struct Harvest {
  std::optional<Failure> failure;          // of several, the lowest rank's
  std::vector<RankStatistics> statistics;  // its own; after, rank 0 has all, by rank
};

// fold(bytes): reduces a child's packed result into this rank's.
// pack(): this rank's result, packed. adopt(bytes): replaces it by the whole.
// Each may throw; none is called on a rank that knows of a failure.
struct ResultCalls {
  std::function<void(std::span<const std::byte>)> fold;
  std::function<std::vector<std::byte>()> pack;
  std::function<void(std::span<const std::byte>)> adopt;
  bool adopting_may_fail = true;
};

void collect(Mailbox& mailbox, int rank, int size, Harvest& harvest, const ResultCalls& calls,
             ResultAt where);

}  // namespace belay
