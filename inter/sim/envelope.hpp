// Envelope: a message of the simulated cluster with all that an observer may want to know.
#pragma once

#include <cstdint>
#include <vector>

#include "belay/inter/protocol/message.hpp"
#include "belay/inter/sim/event_queue.hpp"

namespace belay::sim {

using ChunkId = std::uint64_t;  // unique in a simulation, kept while the chunk travels

struct Envelope {
  int from = 0;
  int to = 0;
  Nanoseconds sent = 0;  // when
  Message message;
  std::vector<ChunkId> chunks;  // loot: what it carries
  std::uint64_t tasks = 0;      // loot: in these chunks
  Nanoseconds delay = 0;        // beyond what the network takes; an interference may set it
};

}  // namespace belay::sim
