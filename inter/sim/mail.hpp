// Mail: the messages that were sent and not yet handled, with their loot, in reused slots.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "belay/inter/sim/envelope.hpp"

namespace belay::sim {

template <class Loot>
struct Parcel {
  Envelope envelope;
  Loot loot;
};

template <class Loot>
class Mail {
 public:
  // Returns the slot.
  int put(Parcel<Loot> parcel) {
    ++under_way_;
    if (free_.empty()) {
      parcels_.push_back(std::move(parcel));
      return static_cast<int>(parcels_.size()) - 1;
    }
    const int slot = free_.back();
    free_.pop_back();
    parcels_[static_cast<std::size_t>(slot)] = std::move(parcel);
    return slot;
  }

  [[nodiscard]] const Envelope& envelope(int slot) const {
    return parcels_[static_cast<std::size_t>(slot)].envelope;
  }

  // Empties the slot.
  Parcel<Loot> take(int slot) {
    --under_way_;
    free_.push_back(slot);
    return std::move(parcels_[static_cast<std::size_t>(slot)]);
  }

  [[nodiscard]] std::size_t under_way() const noexcept { return under_way_; }

 private:
  std::vector<Parcel<Loot>> parcels_;
  std::vector<int> free_;
  std::size_t under_way_ = 0;
};

}  // namespace belay::sim
