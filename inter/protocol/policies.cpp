#include "belay/inter/protocol/policies.hpp"

#include "belay/inter/protocol/lifeline_graph.hpp"

namespace belay {

LifelinePolicy::LifelinePolicy(const PolicyOptions& options)
    : random_(options.rank, options.size, options.seed), random_steals_(options.random_steals) {
  for (int rank : LifelineGraph(options.size, options.lifelines).lifelines_of(options.rank)) {
    lifelines_.push_back({rank, false});
  }
}

std::optional<Victim> LifelinePolicy::next_victim(std::int64_t /*now_ns*/) {
  if (tries_ < random_steals_) {
    ++tries_;
    return Victim{random_.next(), RequestKind::random};
  }
  for (Lifeline& lifeline : lifelines_) {
    if (lifeline.set) continue;
    // Set now, not when the refusal comes: late loot may overtake the refusal.
    lifeline.set = true;
    return Victim{lifeline.rank, RequestKind::lifeline};
  }
  return std::nullopt;
}

void LifelinePolicy::refused(int /*by*/) {}

void LifelinePolicy::loot_came(int from, RequestKind kind) {
  tries_ = 0;
  if (kind != RequestKind::lifeline) return;
  for (Lifeline& lifeline : lifelines_) {
    if (lifeline.rank == from) lifeline.set = false;
  }
}

void LifelinePolicy::fed() { tries_ = 0; }

Reply LifelinePolicy::without_surplus(int /*thief*/, RequestKind kind) {
  return {kind == RequestKind::lifeline ? Reply::What::remember : Reply::What::refuse};
}

RandomPolicy::RandomPolicy(const PolicyOptions& options)
    : random_(options.rank, options.size, options.seed), random_steals_(options.random_steals) {}

std::optional<Victim> RandomPolicy::next_victim(std::int64_t now_ns) {
  if (tries_ == random_steals_) {
    back_off_.begin(now_ns);
    tries_ = 0;
  }
  if (!back_off_.over(now_ns)) return std::nullopt;
  ++tries_;
  return Victim{random_.next(), RequestKind::random};
}

void RandomPolicy::refused(int /*by*/) {}
void RandomPolicy::loot_came(int /*from*/, RequestKind /*kind*/) { fed(); }
void RandomPolicy::fed() {
  tries_ = 0;
  back_off_.reset();
}
Reply RandomPolicy::without_surplus(int /*thief*/, RequestKind /*kind*/) { return {}; }

RingPolicy::RingPolicy(const PolicyOptions& options)
    : rank_(options.rank), size_(options.size), victim_((options.rank + 1) % options.size) {}

std::optional<Victim> RingPolicy::next_victim(std::int64_t now_ns) {
  if (tries_ == size_ - 1) {
    back_off_.begin(now_ns);
    tries_ = 0;
  }
  if (!back_off_.over(now_ns)) return std::nullopt;
  ++tries_;
  return Victim{victim_, RequestKind::random};
}

void RingPolicy::refused(int by) {
  victim_ = (by + 1) % size_;
  if (victim_ == rank_) victim_ = (victim_ + 1) % size_;
}
void RingPolicy::loot_came(int from, RequestKind kind) {
  if (kind != RequestKind::prefetch) victim_ = from;
  fed();
}
void RingPolicy::fed() {
  tries_ = 0;
  back_off_.reset();
}
Reply RingPolicy::without_surplus(int /*thief*/, RequestKind /*kind*/) { return {}; }

std::unique_ptr<Policy> make_policy(const PolicyOptions& options) {
  switch (options.kind) {
    case PolicyKind::random:
      return std::make_unique<RandomPolicy>(options);
    case PolicyKind::ring:
      return std::make_unique<RingPolicy>(options);
    default:
      return std::make_unique<LifelinePolicy>(options);
  }
}

}  // namespace belay
