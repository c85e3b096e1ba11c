// LootWasWorkedOn: a bag that arrived as loot is not given away again before a worker held it,
// so that nothing circles unprocessed. O(1) per chunk that moves.
#pragma once

#include <unordered_set>

#include "belay/core/errors.hpp"
#include "belay/inter/sim/observer.hpp"

namespace belay::sim {

class LootWasWorkedOn final : public Observer {
 public:
  void handle_held(Nanoseconds, int, ChunkId chunk) override { arrived_.erase(chunk); }
  void handle_sent(Nanoseconds now, const Envelope& envelope) override {
    for (const ChunkId chunk : envelope.chunks) {
      BELAY_CHECK(!arrived_.contains(chunk), chunk, envelope.from, envelope.to, now);
    }
  }
  void handle_received(Nanoseconds, const Envelope& envelope) override {
    arrived_.insert(envelope.chunks.begin(), envelope.chunks.end());
  }

 private:
  std::unordered_set<ChunkId> arrived_;  // and not yet held
};

}  // namespace belay::sim
