// User code that throws, wherever it may.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "belay/intra/node.hpp"
#include "tests/intra/hang_guard.hpp"
#include "tests/intra/problems.hpp"
#include "tests/intra/rounds.hpp"
#include "tests/intra/threads.hpp"

namespace belay::test {
namespace {

using testing::AnyOf;
using testing::Optional;

enum class Place { empty_bag, identity, make_local, split, process };

class NodeFailureTest : public testing::TestWithParam<std::tuple<Place, int>> {
 protected:
  // A problem that throws in the place that is tested.
  template <class Throw>
  static Scripted problem_with(Throw throws) {
    Scripted problem;
    problem.on_task = [](int task, std::vector<int>& bag) {
      if (task > 0) bag.insert(bag.end(), {task - 1, task - 1});
    };
    switch (std::get<0>(GetParam())) {
      case Place::empty_bag:
        problem.on_empty_bag = throws;
        break;
      case Place::identity:
        problem.on_identity = throws;
        break;
      case Place::make_local:
        problem.on_make_local = throws;
        break;
      case Place::split:
        problem.on_split = throws;
        break;
      case Place::process:
        problem.on_task = [throws](int, std::vector<int>&) { throws(); };
        break;
    }
    return problem;
  }

  // Other nodes may take chunks, so that a single worker splits too.
  static NodeOptions options() {
    NodeOptions options = options_for(std::get<1>(GetParam()));
    options.has_other_nodes = true;
    return options;
  }
};

TEST_P(NodeFailureTest, MessageBecomesTheFailure) {
  const HangGuard guard;
  const Scripted problem = problem_with([] { throw std::runtime_error("out of luck"); });
  Node<Scripted> node(problem, options());
  start(node, options().workers);
  put(node, {10, 10});
  EXPECT_EQ(await_failure(node), "out of luck");
  node.end();
  node.join();
}

TEST_P(NodeFailureTest, ExceptionsOfAnyTypeAreCaught) {
  const HangGuard guard;
  const Scripted problem = problem_with([] { throw 42; });
  Node<Scripted> node(problem, options());
  start(node, options().workers);
  put(node, {10, 10});
  EXPECT_EQ(await_failure(node), "an exception that is no std::exception");
}

TEST_P(NodeFailureTest, NodeThatFailedCanBeDroppedAtOnce) {
  const HangGuard guard;
  for (Rounds rounds(50); rounds.next();) {
    const Scripted problem = problem_with([] { throw std::runtime_error("out of luck"); });
    Node<Scripted> node(problem, options());
    start(node, options().workers);
    put(node, {6, 6, 6});
  }
}

TEST_P(NodeFailureTest, OneOfManyFailuresIsReportedAndTheRestGoOn) {
  // The n-th call throws; whoever is not hit works on, and the node becomes idle.
  const HangGuard guard;
  for (int n = 1; n <= options().workers; ++n) {
    std::atomic<int> calls{0};
    const Scripted problem = problem_with([&] {
      if (++calls == n) throw std::runtime_error("out of luck");
    });
    Node<Scripted> node(problem, options());
    start(node, options().workers);
    put(node, std::vector<int>(20, 3));
    EXPECT_EQ(await_failure(node), "out of luck");
    node.end();
    node.join();
    EXPECT_EQ(node.failure(), "out of luck");
  }
}

std::string name_of(Place place) {
  switch (place) {
    case Place::empty_bag:
      return "empty_bag";
    case Place::identity:
      return "identity";
    case Place::make_local:
      return "make_local";
    case Place::split:
      return "split";
    case Place::process:
      return "process";
  }
  return "";
}

INSTANTIATE_TEST_SUITE_P(Places, NodeFailureTest,
                         testing::Combine(testing::Values(Place::empty_bag, Place::identity,
                                                          Place::make_local, Place::split,
                                                          Place::process),
                                          testing::Values(1, 2, 5)),
                         [](const auto& the_case) {
                           return name_of(std::get<0>(the_case.param)) + "_with_" +
                                  std::to_string(std::get<1>(the_case.param));
                         });

TEST(NodeFailure, OfAllWorkersAtOnceLeavesTheNodeIdleWithOneMessage) {
  const HangGuard guard;
  for (Rounds rounds(200); rounds.next();) {
    Scripted problem;
    std::atomic<int> failures{0};
    problem.on_make_local = [&] { throw std::runtime_error(std::to_string(++failures)); };
    Node<Scripted> node(problem, options_for(4));
    start(node, 4);
    await_idle(node);
    ASSERT_THAT(node.failure(), Optional(AnyOf("1", "2", "3", "4")));
    ASSERT_EQ(failures, 4);
  }
}

TEST(NodeFailure, IsKnownBeforeTheNodeIsIdle) {
  const HangGuard guard;
  for (Rounds rounds(500); rounds.next();) {
    Scripted problem;
    problem.on_task = [](int, std::vector<int>&) { throw std::runtime_error("the last task"); };
    Node<Scripted> node(problem, options_for(2));
    start(node, 2);
    put(node, {1});
    await_idle(node);
    ASSERT_EQ(node.failure(), "the last task");
  }
}

TEST(NodeFailure, LeavesTheOtherWorkersAtWork) {
  const HangGuard guard;
  Scripted problem;
  std::atomic<int> tasks{0};
  problem.on_task = [&](int task, std::vector<int>&) {
    if (task == 1) throw std::runtime_error("out of luck");
    ++tasks;
  };
  Node<Scripted> node(problem, options_for(2));
  start(node, 2);
  put(node, {1});
  EXPECT_EQ(await_failure(node), "out of luck");
  // The failed worker is woken in vain now and then; the other one finds the chunk some time.
  for (int i = 0; i < 100 && tasks < 10; ++i) put(node, {0});
  await([&] { return tasks > 0; });
}

TEST(NodeFailure, OfTheCommunicationThreadIsTheNodes) {
  const Scripted problem;
  Node<Scripted> node(problem, options_for(1));
  node.fail("unpack went wrong");
  node.fail("and again");
  EXPECT_EQ(node.failure(), "unpack went wrong");
}

TEST(NodeFailure, ExceptionFromMergeReachesWhoPuts) {
  const HangGuard guard;
  Scripted problem;
  problem.on_merge = [] { throw std::runtime_error("no merger"); };
  Node<Scripted> node(problem, options_for(1));
  start(node, 1);
  EXPECT_THROW(node.put({{1}, {2}}), std::runtime_error);
}

TEST(NodeFailure, ExceptionFromReduceReachesWhoAsksForTheResult) {
  struct Irreducible : Scripted {
    static void reduce(long&, long&&) { throw std::runtime_error("no sum"); }
  };
  const HangGuard guard;
  const Irreducible problem;
  Node<Irreducible> node(problem, options_for(2));
  start(node, 2);
  await_idle(node);
  node.end();
  node.join();
  EXPECT_THROW(static_cast<void>(node.result()), std::runtime_error);
}

}  // namespace
}  // namespace belay::test
