// The policies: lifeline, random and ring.
#pragma once

#include <vector>

#include "belay/inter/protocol/back_off.hpp"
#include "belay/inter/protocol/policy.hpp"
#include "belay/inter/protocol/random_victims.hpp"

namespace belay {

// Up to w random victims since the node became hungry or last got loot, then the lifelines one
// after the other, each once until loot has come on it; then nobody. A lifeline that has
// nothing remembers the thief.
// Source: Saraswat et al., PPoPP 2011, section 2.
class LifelinePolicy final : public Policy {
 public:
  explicit LifelinePolicy(const PolicyOptions& options);
  std::optional<Victim> next_victim(std::int64_t now_ns) override;
  void refused(int by) override;
  void loot_came(int from, RequestKind kind) override;
  void fed() override;
  Reply without_surplus(int thief, RequestKind kind) override;

 private:
  struct Lifeline {
    int rank;
    bool set;  // asked, and no loot has come on it since
  };

  RandomVictims random_;
  int random_steals_;
  int tries_ = 0;
  std::vector<Lifeline> lifelines_;
};

// Random victims for ever; after each w fruitless ones it backs off.
class RandomPolicy final : public Policy {
 public:
  explicit RandomPolicy(const PolicyOptions& options);
  std::optional<Victim> next_victim(std::int64_t now_ns) override;
  void refused(int by) override;
  void loot_came(int from, RequestKind kind) override;
  void fed() override;
  Reply without_surplus(int thief, RequestKind kind) override;

 private:
  RandomVictims random_;
  int random_steals_;
  int tries_ = 0;
  BackOff back_off_;
};

// Around the ring of ranks, from where the last steal succeeded (at first the next rank) on; after
// a fruitless tour it backs off.
// Source: Machado et al., UTS on manycore with GPI, section 5.1.
class RingPolicy final : public Policy {
 public:
  explicit RingPolicy(const PolicyOptions& options);
  std::optional<Victim> next_victim(std::int64_t now_ns) override;
  void refused(int by) override;
  void loot_came(int from, RequestKind kind) override;
  void fed() override;
  Reply without_surplus(int thief, RequestKind kind) override;

 private:
  int rank_;
  int size_;
  int victim_;
  int tries_ = 0;  // in this tour
  BackOff back_off_;
};

}  // namespace belay
