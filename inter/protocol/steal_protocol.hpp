// StealProtocol: asking for work, and answering those who ask.
//
// A hungry node asks the victims that its policy chooses, one at a time. A victim without surplus
// refuses, forwards the request, or remembers the thief and serves it with the first surplus it
// sees, as its policy says. While there still is work at home, but the surplus is nearly gone or
// few tasks are left, one prefetch request goes to a random node, or to the ring neighbour; it says
// how many tasks the thief has, and is served by who has more than twice as many.
//
// Invariants: at most one request chosen by the policy and one prefetch are unanswered; each is
// answered once, wherever it was forwarded. A lifeline is not asked again before its loot came, so
// at most one loot is under way on it.
//
// Sources: Saraswat et al., PPoPP 2011, section 2 (random steals, lifelines, distribution);
// Machado et al., UTS on manycore with GPI, sections 5.1 (the three answers) and 5.3 (the
// prefetch); Janjic and Hammond, Using Load Information in Work-Stealing, section 4 (choosing by
// numbers of tasks: there the thief, which is given perfect knowledge of all others; here the
// victim, which knows two). Further differences. Lifelines are set by a hungry node, not only by an
// idle one: otherwise one long task would keep the other workers of its node without work. A
// prefetch that was refused is not repeated before the surplus recovered or, for want of tasks,
// before there are fewer yet, or were twice as many as few ones. None is sent while much of what
// came lies untouched. It asks a random node, unless told to ask the ring neighbour as in the
// paper. And the surplus from which it is served need not exceed a mark.
//
// Pure: calls in, actions out, random numbers from a seed. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "belay/core/parameters.hpp"
#include "belay/core/statistics.hpp"
#include "belay/inter/protocol/actions.hpp"
#include "belay/inter/protocol/policy.hpp"
#include "belay/inter/protocol/random_victims.hpp"
#include "belay/inter/protocol/termination.hpp"

namespace belay {

struct ProtocolOptions {
  int rank = 0;
  int size = 1;
  PolicyKind policy = PolicyKind::lifeline;
  int random_steals = 1;   // w
  int lifelines = 3;       // z
  bool steal_half = true;  // half of the chunks per steal; otherwise one
  Prefetch prefetch = Prefetch::random;
  std::uint32_t prefetch_below = 1;  // chunks
  std::uint64_t seed = 1;
};

// As a run's parameters say, for a rank of `size` whose node has so many workers.
[[nodiscard]] ProtocolOptions protocol_options(const Parameters& parameters, int rank, int size,
                                               int workers);

// What a node asked and was asked, and what came of it.
struct StealStatistics {
  RequestStatistics sent;
  RequestStatistics received;
  std::uint64_t loot_sent = 0;  // late ones on lifelines included
  std::uint64_t loot_received = 0;
};

class StealProtocol {
 public:
  explicit StealProtocol(const ProtocolOptions& options);
  StealProtocol(const ProtocolOptions& options, std::unique_ptr<Policy> policy);

  // Serves remembered thieves from the surplus, asks for work if there is too little.
  void handle_local(const LocalState& state, Actions& actions);

  void handle_request(const Message& message, const LocalState& state, Actions& actions);
  void handle_refusal(int from, const Message& message);
  // The caller has put the loot on the communication thread's deque, or thrown it away after a
  // failure.
  void handle_loot(int from, const Message& message);

  // A Give found no chunk: refuses or remembers instead.
  void nothing_to_give(const Give& give, const LocalState& state, Actions& actions);

  // The outcome is decided: from now on nothing is asked or given.
  void close();

  // All own requests are answered; a remembered one counts as answered.
  [[nodiscard]] bool quiet() const noexcept { return !asked_ && !prefetching_; }
  // Somebody waits for this node's surplus.
  [[nodiscard]] bool wants_surplus() const noexcept { return !thieves_.empty(); }

  [[nodiscard]] LootCount loot() const noexcept {
    return {statistics_.loot_sent, statistics_.loot_received};
  }
  [[nodiscard]] const StealStatistics& statistics() const noexcept { return statistics_; }

 private:
  // A node lays in so many times the surplus below which it asks ahead: what lies with workers
  // busy with long tasks is lost to those who have none. In simulation of tasks of 0.1 to 5 ms that
  // gains 0 to 7 % over a stock without bound. With tasks of less than 2 us, where work runs short
  // again and again, a smaller stock loses up to 0.5 %.
  static constexpr std::uint32_t kStock = 4;

  void serve_remembered(const LocalState& state, Actions& actions);
  void look_for_work(const LocalState& state, Actions& actions);
  void prefetch(const LocalState& state, Actions& actions);
  void send_request(int to, RequestKind kind, std::uint64_t tasks, Actions& actions);
  void decline(const Message& message, const LocalState& state, Actions& actions);
  void refuse(int to, RequestKind kind, const LocalState& state, Actions& actions);
  void give(int to, RequestKind kind, bool late, std::uint32_t chunks, Actions& actions);
  void remember(int thief);
  [[nodiscard]] bool can_serve(const Message& request, const LocalState& state) const;

  ProtocolOptions options_;
  std::unique_ptr<Policy> policy_;  // none where there is nobody else
  RandomVictims prefetch_victims_;
  std::vector<int> thieves_;  // whose requests are remembered, oldest first
  bool asked_ = false;        // somebody owes an answer to a random or lifeline request
  bool prefetching_ = false;
  bool may_prefetch_ = true;     // for want of surplus
  std::uint64_t few_ = 0;        // with fewer tasks than these it may for want of tasks
  std::uint64_t times_few_ = 0;  // in the last state
  bool closed_ = false;
  StealStatistics statistics_;
};

}  // namespace belay
