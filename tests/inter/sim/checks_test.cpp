// Every check is worth its name: the cluster is broken on purpose, from outside of the
// protocol, and the check that it concerns is the one that notices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "belay/inter/sim/checks/all_checks.hpp"
#include "belay/inter/sim/checks/every_task_once.hpp"
#include "belay/inter/sim/simulation.hpp"
#include "tests/inter/sim/random_tree.hpp"

namespace belay::sim {
namespace {

using testing::HasSubstr;

constexpr int kSettings = 40;
constexpr std::size_t kMostTasks = 100'000;

// Where many nodes hunger for some work: nine nodes, a tree of a few hundred tasks at the root.
struct Setting {
  explicit Setting(std::uint64_t seed) {
    options.nodes = 9;
    options.seed = seed;
    options.quantum = 4;
    options.most_events = 500'000;
    options.costs.task = 10'000;
    options.costs.pick_up = 20'000;
    options.costs.latency_max = 50'000;
    Rng rng(seed);
    do {
      root = {rng.next(), 14, 0};
    } while (tasks_of({root}, kMostTasks).size() < 300);
  }

  // What went wrong in the simulation; empty if nothing.
  std::string complaint() const {
    try {
      const RandomTree function;
      const Tree tree(function);
      Simulation(tree, options).run({root});
      return {};
    } catch (const std::logic_error& error) {
      return error.what();
    }
  }

  SimulationOptions options;
  RandomTree::Task root{};
};

// A network that does to each message what the test says; returns how many copies arrive.
struct BadNetwork final : Interference {
  explicit BadNetwork(std::function<int(Envelope&)> what) : do_to(std::move(what)) {}
  int carry(Envelope& envelope) override { return do_to(envelope); }
  std::function<int(Envelope&)> do_to;
};

struct BadReport final : Interference {
  explicit BadReport(std::function<void(int, LocalState&)> what) : falsify(std::move(what)) {}
  void report(int rank, LocalState& state) override { falsify(rank, state); }
  std::function<void(int, LocalState&)> falsify;
};

bool is(const Envelope& envelope, MessageKind kind) { return envelope.message.kind == kind; }

// In how many of a few settings a check, made anew for each, notices something; `file`: its own.
// (The engines have checks as well, and some trouble only makes them stand still.)
template <class Check, class... Arguments>
int noticed(Interference& interference, const std::string& file, const Arguments&... arguments) {
  int count = 0;
  for (std::uint64_t seed = 0; seed < std::uint64_t{kSettings}; ++seed) {
    Setting setting(seed);
    setting.options.interference = &interference;
    Check check(arguments...);
    setting.options.observers.push_back(&check);
    if (setting.complaint().find(file) != std::string::npos) ++count;
  }
  return count;
}

TEST(Checks, NoneComplainsOfAnHonestCluster) {
  for (std::uint64_t seed = 0; seed < std::uint64_t{kSettings}; ++seed) {
    Setting setting(seed);
    Interference honest;
    setting.options.interference = &honest;
    AllChecks checks(setting.options);
    checks.attach_to(setting.options);
    EXPECT_EQ(setting.complaint(), "");
  }
}

// ---- no end while a task or loot exists ----

TEST(NoEarlyEnd, NoticesAHostThatReportsIdleWhileAWorkerHoldsATask) {
  BadReport hasty([](int, LocalState& state) { state.idle = true; });
  EXPECT_GT(noticed<NoEarlyEnd>(hasty, "no_early_end.hpp"), 0);
}

// All but the root's own counts, which the votes of its first child make up for.
TEST(NoEarlyEnd, NoticesVotesThatCountNothing) {
  std::uint64_t sent_by_root = 0;
  std::uint64_t sent_to_root = 0;
  Nanoseconds last = 0;
  BadNetwork blind([&](Envelope& envelope) {
    if (envelope.sent < last) sent_by_root = sent_to_root = 0;  // another setting
    last = envelope.sent;
    Message& message = envelope.message;
    if (is(envelope, MessageKind::vote)) message.sent = message.received = 0;
    if (is(envelope, MessageKind::vote) && envelope.from == 1) {
      message.sent = sent_to_root;
      message.received = sent_by_root;
    }
    if (!is(envelope, MessageKind::loot)) return 1;
    if (envelope.from == 0) ++sent_by_root;
    if (envelope.to == 0) ++sent_to_root;
    envelope.delay = 10'000'000;
    return 1;
  });
  EXPECT_EQ(noticed<NoEarlyEnd>(blind, "no_early_end.hpp"), kSettings);
}

// ---- the end comes ----

TEST(TheEndComes, NoticesALostVote) {
  BadNetwork lossy([](Envelope& envelope) { return is(envelope, MessageKind::vote) ? 0 : 1; });
  EXPECT_EQ(noticed<TheEndComes>(lossy, "the_end_comes.hpp", Setting(0).options), kSettings);
}

TEST(TheEndComes, NoticesVotesThatNeverAgree) {
  BadNetwork restless([votes = std::uint64_t{0}](Envelope& envelope) mutable {
    if (is(envelope, MessageKind::vote)) envelope.message.sent += ++votes;
    return 1;
  });
  EXPECT_EQ(noticed<TheEndComes>(restless, "the_end_comes.hpp", Setting(0).options), kSettings);
}

TEST(TheEndComes, NoticesLootThatIsLost) {
  BadNetwork lossy([](Envelope& envelope) { return is(envelope, MessageKind::loot) ? 0 : 1; });
  EXPECT_EQ(noticed<TheEndComes>(lossy, "the_end_comes.hpp", Setting(0).options), kSettings);
}

// ---- no message is left ----

TEST(NoMessageLeft, NoticesAMessageToANodeThatIsDone) {
  BadNetwork echoing([](Envelope& envelope) {
    return is(envelope, MessageKind::ask) && envelope.message.phase == Phase::leaving ? 2 : 1;
  });
  EXPECT_EQ(noticed<NoMessageLeft>(echoing, "no_message_left.hpp", 9), kSettings);
}

// Reports go up unasked; one that is slow, of a node that claims to have sent none, is left.
TEST(NoMessageLeft, NoticesAVoteThatDoesNotCountWhatWasSentBefore) {
  BadNetwork slow([](Envelope& envelope) {
    if (is(envelope, MessageKind::report)) envelope.delay = 50'000'000;
    if (is(envelope, MessageKind::vote) && envelope.message.phase == Phase::draining) {
      --envelope.message.edge_count;
    }
    return 1;
  });
  Setting setting(0);
  setting.options.costs.pairs_in_order = false;
  setting.options.mishaps = {{1'000'000, 0, RunOutcome::stopped}, {990'000, 1, RunOutcome::failed}};
  setting.options.nodes = 2;
  setting.options.interference = &slow;
  NoMessageLeft check(2);
  setting.options.observers.push_back(&check);
  EXPECT_THAT(setting.complaint(), HasSubstr("no_message_left.hpp"));
}

// ---- nothing is asked or given after the decision ----

TEST(NothingAfterTheDecision, NoticesLootOfANodeThatKnowsTheOutcome) {
  NothingAfterTheDecision check(2);
  Envelope envelope;
  envelope.message.kind = MessageKind::loot;
  EXPECT_NO_THROW(check.handle_sent(0, envelope));
  check.handle_decided(1, 0, RunOutcome::stopped, 0);
  EXPECT_THROW(check.handle_sent(2, envelope), std::logic_error);
}

TEST(NothingAfterTheDecision, AllowsAnswersVotesAndAsks) {
  NothingAfterTheDecision check(2);
  check.handle_decided(0, 0, RunOutcome::success, 0);
  for (const MessageKind kind : {MessageKind::refusal, MessageKind::ask, MessageKind::vote}) {
    Envelope envelope;
    envelope.message.kind = kind;
    EXPECT_NO_THROW(check.handle_sent(1, envelope));
  }
}

// ---- at most one loot under way on a lifeline ----

TEST(OneLootPerLifeline, NoticesALifelineThatIsAskedTwice) {
  BadNetwork echoing([](Envelope& envelope) {
    const bool lifeline =
        is(envelope, MessageKind::request) && envelope.message.request == RequestKind::lifeline;
    if (is(envelope, MessageKind::loot)) envelope.delay = 1'000'000;
    return lifeline ? 2 : 1;
  });
  EXPECT_GT(noticed<OneLootPerLifeline>(echoing, "one_loot_per_lifeline.hpp"), 0);
}

// ---- remembered thieves get the first surplus ----

TEST(RememberedThievesFirst, NoticesAHostThatHidesItsSurplus) {
  BadReport blind([](int, LocalState& state) { state.surplus = 0; });
  EXPECT_EQ(
      noticed<RememberedThievesFirst>(blind, "remembered_thieves_first.hpp", Setting(0).options),
      kSettings);
}

// Node 0 as the check sees it, thieves 1, 2 and 3.
struct Remembering {
  explicit Remembering(std::uint32_t lost_gives = 0) : check(options(lost_gives)) {}

  static SimulationOptions options(std::uint32_t lost_gives) {
    SimulationOptions options;
    options.nodes = 4;
    options.lost_gives = lost_gives;
    return options;
  }
  static Envelope to(int thief, MessageKind kind, std::vector<ChunkId> chunks = {}) {
    Envelope envelope;
    envelope.to = thief;
    envelope.message.kind = kind;
    envelope.message.request = RequestKind::lifeline;
    envelope.message.late = kind == MessageKind::loot;
    envelope.chunks = std::move(chunks);
    return envelope;
  }
  void refuse(int thief) { check.handle_sent(0, to(thief, MessageKind::refusal)); }
  void serve(int thief, ChunkId chunk) {
    check.handle_sent(0, to(thief, MessageKind::loot, {chunk}));
  }
  void publish(ChunkId chunk) { check.handle_published(0, 0, chunk); }
  void look() { check.handle_look(0, 0); }

  RememberedThievesFirst check;
};

TEST(RememberedThievesFirst, WantsAllServedOrAllSurplusGoneBetweenTwoLooks) {
  Remembering node;
  node.refuse(1);
  node.refuse(2);
  node.look();
  node.publish(10);
  node.look();
  node.serve(1, 10);
  node.publish(11);
  EXPECT_NO_THROW(node.look()) << "the surplus was gone meanwhile";
  node.publish(12);
  EXPECT_THROW(node.look(), std::logic_error);
}

TEST(RememberedThievesFirst, WantsNothingOfANodeWhoseWorkersTookTheSurplusOrThatKnowsTheOutcome) {
  Remembering node;
  node.refuse(1);
  node.publish(10);
  node.look();
  node.check.handle_held(0, 0, 10);
  node.publish(11);
  EXPECT_NO_THROW(node.look());
  node.check.handle_decided(0, 0, RunOutcome::stopped, 0);
  node.refuse(2);
  EXPECT_NO_THROW(node.look());
}

TEST(RememberedThievesFirst, NoticesLateLootForSomebodyElse) {
  Remembering node;
  node.refuse(1);
  EXPECT_THROW(node.serve(2, 10), std::logic_error);
  EXPECT_NO_THROW(node.serve(1, 10));
  EXPECT_THROW(node.serve(1, 11), std::logic_error) << "it is remembered no more";
}

TEST(RememberedThievesFirst, NoticesARequestThatIsGrantedBeforeWhoIsRemembered) {
  Remembering node;
  node.refuse(1);
  Envelope answer = Remembering::to(2, MessageKind::loot, {10});
  answer.message.late = false;
  EXPECT_THROW(node.check.handle_sent(0, answer), std::logic_error);
}

TEST(RememberedThievesFirst, NoticesAThiefThatIsPassedOver) {
  Remembering node;
  node.refuse(3);
  node.refuse(1);
  EXPECT_THROW(node.serve(1, 10), std::logic_error);
  Remembering unlucky(1);
  unlucky.refuse(3);
  unlucky.refuse(1);
  EXPECT_NO_THROW(unlucky.serve(1, 10)) << "3 may have been the first to get nothing";
}

// ---- loot that moved on was worked on ----

TEST(LootWasWorkedOn, NoticesAHostThatGivesAwayWhatJustArrived) {
  struct Generous final : Interference {
    bool gives_arrived(int) override { return true; }
  } generous;
  EXPECT_GT(noticed<LootWasWorkedOn>(generous, "loot_was_worked_on.hpp"), 0);
}

// ---- one unanswered request of each sort ----

TEST(OneRequestAtATime, NoticesAnAnswerThatComesTwice) {
  BadNetwork echoing([](Envelope& envelope) {
    const bool prefetch =
        is(envelope, MessageKind::refusal) && envelope.message.request == RequestKind::prefetch;
    return prefetch ? 2 : 1;
  });
  EXPECT_GT(noticed<OneRequestAtATime>(echoing, "one_request_at_a_time.hpp", 9), 0);
}

TEST(OneRequestAtATime, NoticesASecondRequestBeforeTheAnswer) {
  for (const auto& [first, second, allowed] :
       {std::tuple(RequestKind::random, RequestKind::lifeline, false),
        std::tuple(RequestKind::lifeline, RequestKind::random, false),
        std::tuple(RequestKind::prefetch, RequestKind::prefetch, false),
        std::tuple(RequestKind::prefetch, RequestKind::random, true)}) {
    OneRequestAtATime check(4);
    Envelope envelope;
    envelope.from = 1;
    envelope.to = 2;
    envelope.message.request = first;
    check.handle_sent(0, envelope);
    envelope.message.request = second;
    if (allowed) {
      EXPECT_NO_THROW(check.handle_sent(1, envelope));
    } else {
      EXPECT_THROW(check.handle_sent(1, envelope), std::logic_error);
    }
  }
}

// ---- one outcome ----

TEST(OneOutcome, NoticesANodeThatIsToldAnother) {
  BadNetwork lying([](Envelope& envelope) {
    if (is(envelope, MessageKind::ask) && envelope.to == 4) {
      envelope.message.outcome = RunOutcome::stopped;
    }
    return 1;
  });
  EXPECT_EQ(noticed<OneOutcome>(lying, "one_outcome.hpp"), kSettings);
}

TEST(OneOutcome, NoticesAFailureOfARankThatDidNotFail) {
  BadNetwork lying([](Envelope& envelope) {
    if (is(envelope, MessageKind::report)) envelope.message.rank = 3;
    return 1;
  });
  Setting setting(0);
  setting.options.mishaps = {{1'000'000, 7, RunOutcome::failed}};
  setting.options.interference = &lying;
  OneOutcome check;
  setting.options.observers.push_back(&check);
  EXPECT_THAT(setting.complaint(), HasSubstr("one_outcome.hpp"));
}

// ---- every task once ----

// Problems whose split is faulty: one forgets a task, the other gives away a copy as well.
struct Forgetful : Tree {
  using Tree::Tree;
  [[nodiscard]] Bag split(Bag& bag, Share share) const {
    Bag part = Tree::split(bag, share);
    if (part.size() > 1) part.pop_back();
    return part;
  }
};
struct Duplicating : Tree {
  using Tree::Tree;
  [[nodiscard]] Bag split(Bag& bag, Share share) const {
    Bag part = Tree::split(bag, share);
    if (!part.empty() && part.back().depth == 0) bag.push_back(part.back());
    return part;
  }
};

template <class Problem>
std::string complaint_about() {
  const Setting setting(0);
  const RandomTree function;
  const Problem problem(function);
  const auto outcome = Simulation(problem, setting.options).run({setting.root});
  const EveryTaskOnce check(tasks_of({setting.root}, kMostTasks));
  try {
    check.check(outcome.outcome, outcome.result);
    return {};
  } catch (const std::logic_error& error) {
    return error.what();
  }
}

TEST(EveryTaskOnce, NoticesALostAndADuplicatedTask) {
  EXPECT_EQ(complaint_about<Tree>(), "");
  EXPECT_THAT(complaint_about<Forgetful>(), HasSubstr("every_task_once.hpp"));
  EXPECT_THAT(complaint_about<Duplicating>(), HasSubstr("every_task_once.hpp"));
}

TEST(EveryTaskOnce, AllowsAFailedRunToLeaveTasksButNotToRepeatOrInventThem) {
  const EveryTaskOnce check({3, 1, 2});
  EXPECT_NO_THROW(check.check(RunOutcome::failed, {2, 1}));
  EXPECT_NO_THROW(check.check(RunOutcome::stopped, {}));
  EXPECT_NO_THROW(check.check(RunOutcome::success, {1, 2, 3}));
  EXPECT_THROW(check.check(RunOutcome::success, {1, 2}), std::logic_error);
  EXPECT_THROW(check.check(RunOutcome::failed, {1, 1}), std::logic_error);
  EXPECT_THROW(check.check(RunOutcome::failed, {4}), std::logic_error);
}

}  // namespace
}  // namespace belay::sim
