// Interference: a host or a network that misbehaves, so that tests can break the protocol from
// outside and see it noticed. This base is honest.
#pragma once

#include "belay/inter/protocol/actions.hpp"
#include "belay/inter/sim/envelope.hpp"

namespace belay::sim {

class Interference {
 public:
  Interference() = default;
  Interference(const Interference&) = delete;
  Interference& operator=(const Interference&) = delete;
  virtual ~Interference() = default;

  // How the host of `rank` reports its node; may be changed before the engine sees it.
  virtual void report(int /*rank*/, LocalState&) {}
  // A message leaves; may be changed. Returns how many copies arrive, each after a delay of its
  // own. Copies of loot but the first are empty.
  virtual int carry(Envelope&) { return 1; }
  // Whether the host of `rank` offers and gives away what arrived and no worker has held.
  [[nodiscard]] virtual bool gives_arrived(int /*rank*/) { return false; }
};

}  // namespace belay::sim
