// RememberedThievesFirst: a node that remembers thieves serves them with the first surplus it sees.
//
// A thief is remembered from the refusal of its lifeline request until late loot is sent to it or
// the node knows the outcome; so no loot is under way on that lifeline meanwhile. Surplus is
// counted here, from the chunks that workers publish and take. Checked:
//
//   - Late loot goes to who is remembered, the longest waiting first. (No order where gives may be
//     lost: who went away empty waits behind the others.)
//   - While somebody is remembered, no request is answered with loot.
//   - Where a look finds surplus and somebody remembered, all are served or all surplus is gone
//     before the next look.
//
// O(1) per event, but for thieves that wait at the same node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "belay/core/errors.hpp"
#include "belay/inter/sim/observer.hpp"
#include "belay/inter/sim/simulation_options.hpp"

namespace belay::sim {

class RememberedThievesFirst final : public Observer {
 public:
  explicit RememberedThievesFirst(const SimulationOptions& options)
      : in_order_(options.lost_gives == 0), nodes_(static_cast<std::size_t>(options.nodes)) {}

  void handle_published(Nanoseconds, int rank, ChunkId chunk) override {
    shown_.insert(chunk);
    ++at(rank).surplus;
  }
  void handle_held(Nanoseconds, int rank, ChunkId chunk) override { gone(rank, chunk); }

  void handle_sent(Nanoseconds now, const Envelope& envelope) override {
    const Message& message = envelope.message;
    auto& thieves = at(envelope.from).thieves;
    const auto thief = std::find(thieves.begin(), thieves.end(), envelope.to);
    if (message.kind == MessageKind::refusal && message.request == RequestKind::lifeline) {
      if (thief == thieves.end() && !at(envelope.from).decided) thieves.push_back(envelope.to);
    } else if (message.kind == MessageKind::loot) {
      if (message.late) {
        BELAY_CHECK(thief != thieves.end(), envelope.from, envelope.to, now);
        BELAY_CHECK(!in_order_ || thief == thieves.begin(), envelope.from, envelope.to, now);
        thieves.erase(thief);
        if (thieves.empty()) at(envelope.from).owed = false;
      } else {
        BELAY_CHECK(thieves.empty(), envelope.from, envelope.to, now);
      }
      for (const ChunkId chunk : envelope.chunks) gone(envelope.from, chunk);
    }
  }

  void handle_decided(Nanoseconds, int rank, RunOutcome, int) override {
    at(rank).thieves.clear();
    at(rank).decided = true;
  }

  void handle_look(Nanoseconds now, int rank) override {
    Node& node = at(rank);
    const bool owes = node.surplus > 0 && !node.thieves.empty();
    BELAY_CHECK(!owes || !node.owed, node.surplus, node.thieves.front(), rank, now);
    node.owed = owes;
  }

 private:
  struct Node {
    std::vector<int> thieves;  // remembered, the oldest first
    std::int64_t surplus = 0;
    bool owed = false;  // at its last look, and ever since
    bool decided = false;
  };

  Node& at(int rank) { return nodes_[static_cast<std::size_t>(rank)]; }
  void gone(int rank, ChunkId chunk) {
    at(rank).surplus -= static_cast<std::int64_t>(shown_.erase(chunk));
    if (at(rank).surplus == 0) at(rank).owed = false;
  }

  bool in_order_;
  std::vector<Node> nodes_;
  std::unordered_set<ChunkId> shown_;  // on a worker's deque
};

}  // namespace belay::sim
