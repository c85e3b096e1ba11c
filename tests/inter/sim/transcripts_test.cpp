// The interesting cases of the protocol as transcripts: small clusters whose messages, one a
// line, are compared with transcripts/NAME.txt byte for byte. The files are for reading; after a
// change of the protocol that is meant, this writes them anew:
//
//   BELAY_REWRITE_TRANSCRIPTS=1 build/release/tests/simulation_test --gtest_filter='*Transcript*'
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "belay/inter/sim/checks/all_checks.hpp"
#include "belay/inter/sim/event_log.hpp"
#include "belay/inter/sim/simulation.hpp"
#include "tests/inter/sim/random_tree.hpp"

namespace belay::sim {
namespace {

// Round numbers: a message takes 10 us, a communication thread sees it after 1 us.
struct Scene {
  Scene(std::string scene_name, std::string scene_story)
      : name(std::move(scene_name)), story(std::move(scene_story)) {
    options.workers = 1;
    options.quantum = 1;
    options.protocol.prefetch = Prefetch::off;
    options.costs.task = 10'000;
    options.costs.publish = 0;
    options.costs.local_steal = 0;
    options.costs.wake_up = 1'000;
    options.costs.spin = 0;
    options.costs.pick_up = 1'000;
    options.costs.idle_pick_up = 1'000;
    options.costs.look_around = 100'000'000;
    options.costs.latency_min = 10'000;
    options.costs.latency_max = 10'000;
    options.costs.task_bytes = 0;
    work.resize(1);
  }

  // Tasks without children.
  void leaves(std::size_t rank, int count) {
    if (work.size() <= rank) work.resize(rank + 1);
    for (int i = 0; i < count; ++i) work[rank].push_back({next_++, 0, 0});
  }

  std::string run() {
    std::ostringstream log;
    log << "# " << story << "\n#\n#       ns rank  event\n";
    EventLog events(log, false, filter);
    options.observers.push_back(&events);
    AllChecks checks(options);
    checks.attach_to(options);
    const RandomTree function;
    const Tree tree(function);
    Simulation(tree, options).run_on_each_rank(work);
    return log.str();
  }

  std::string name;
  std::string story;
  SimulationOptions options;
  std::vector<Tree::Bag> work;
  EventLog::Filter filter;

 private:
  std::uint64_t next_ = 1;
};

bool is_about_work(const Envelope& envelope) { return envelope.message.kind <= MessageKind::loot; }
bool is_about_the_end(const Envelope& envelope) { return !is_about_work(envelope); }

// A task with three leaves below it.
RandomTree::Task three_leaves() {
  RandomTree::Task task{1, 1, 0};
  while (tasks_of({task}, 4).size() != 4) ++task.seed;
  return task;
}

// Whether a chain sprouts nothing but below its last link.
bool is_bare(RandomTree::Task link) {
  const RandomTree tree;
  while (link.links > 0) {
    Tree::Bag below;
    Spawn<RandomTree::Task> spawn(below);
    RandomTree::Result done;
    tree(link, spawn, done);
    if (below.size() > 1) return false;
    link = below.front();
  }
  return true;
}

// A chain of which no link can be shared before `bare` of them are done.
RandomTree::Task late_bush(int bare) {
  for (RandomTree::Task root{1, 8, bare + 5};; ++root.seed) {
    RandomTree::Task start = root;
    start.links = bare;
    if (is_bare(start) && tasks_of({root}, 1'000).size() > 200) return root;
  }
}

Scene random_steal() {
  Scene scene("random_steal", "A random steal succeeds: the victim gives half of its chunks.");
  scene.leaves(0, 8);
  return scene;
}

Scene late_loot() {
  Scene scene("late_loot",
              "The victim has private work alone: it refuses twice and remembers the lifeline.\n"
              "# As soon as there is surplus, late loot comes unasked.");
  scene.options.costs.task = 50'000;
  scene.work[0] = {three_leaves()};
  return scene;
}

Scene prefetch() {
  Scene scene("prefetch",
              "Prefetches: granted while the neighbour has a surplus and more than twice as many\n"
              "# tasks, refused otherwise.");
  scene.options.protocol.prefetch = Prefetch::ring;
  scene.options.costs.look_around = 10'000;
  scene.leaves(0, 3);
  scene.leaves(1, 12);
  scene.filter = is_about_work;
  return scene;
}

Scene two_rounds() {
  Scene scene("two_rounds",
              "The end: two rounds that agree, one that drains, and the ask to leave. Node 5 is a\n"
              "# child of node 1, the others of node 0. Messages about work are left out.");
  scene.options.nodes = 6;
  scene.leaves(0, 1);
  scene.filter = is_about_the_end;
  return scene;
}

Scene woken_after_its_vote() {
  Scene scene(
      "woken_after_its_vote",
      "Both others have voted when late loot wakes them. The first round does not balance,\n"
      "# the second does but says other than the first, the third agrees with it.\n"
      "# Requests and refusals are left out.");
  scene.options.nodes = 3;
  scene.options.costs.task = 50'000;
  scene.work[0] = {three_leaves()};
  scene.filter = [](const Envelope& envelope) {
    return is_about_the_end(envelope) || envelope.message.kind == MessageKind::loot;
  };
  return scene;
}

Scene failure_during_votes() {
  Scene scene(
      "failure_during_votes",
      "Node 5 fails after its vote, and node 3 a little later; the root hears of node 5\n"
      "# first, and what comes after its decision is dropped. Messages about work are left\n"
      "# out.");
  scene.options.nodes = 6;
  scene.leaves(0, 3);
  scene.options.mishaps = {{15'000, 5, RunOutcome::failed}, {28'000, 3, RunOutcome::failed}};
  scene.filter = is_about_the_end;
  return scene;
}

Scene stop_with_loot_under_way() {
  Scene scene("stop_with_loot_under_way",
              "A stop while large loot is under way: nobody leaves before it has come, to be\n"
              "# thrown away.");
  scene.options.costs.task_bytes = 500'000;
  scene.leaves(0, 8);
  scene.options.mishaps = {{30'000, 0, RunOutcome::stopped}};
  return scene;
}

Scene four_thieves() {
  Scene scene("four_thieves",
              "Node 0 remembers four thieves while it has nothing to share. Of its first surplus\n"
              "# each gets a chunk. The messages about work that node 0 sends or gets,\n"
              "# until then.");
  scene.options.nodes = 9;
  scene.options.protocol.lifelines = 4;
  scene.options.protocol.random_steals = 0;
  scene.options.chunks_shown = 12;
  scene.options.costs.task = 2'000;
  scene.options.costs.pick_up = 40'000;
  scene.options.costs.wake_up = 40'000;
  scene.work[0] = {late_bush(100)};
  scene.filter = [loot = 0](const Envelope& envelope) mutable {
    if (!is_about_work(envelope) || (envelope.from != 0 && envelope.to != 0)) return false;
    if (envelope.message.kind == MessageKind::loot) ++loot;
    return loot < 4 || (loot == 4 && envelope.message.kind == MessageKind::loot);
  };
  return scene;
}

std::string file_of(const std::string& name) {
  return std::string(BELAY_SOURCE_DIR) + "/tests/inter/sim/transcripts/" + name + ".txt";
}

class Transcript : public testing::TestWithParam<Scene (*)()> {};

TEST_P(Transcript, IsWhatTheFileSays) {
  Scene scene = GetParam()();
  const std::string text = scene.run();
  if (std::getenv("BELAY_REWRITE_TRANSCRIPTS") != nullptr) {
    std::ofstream(file_of(scene.name)) << text;
    return;
  }
  std::ifstream file(file_of(scene.name));
  const std::string expected(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(text, expected);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Transcript,
                         testing::Values(random_steal, late_loot, prefetch, two_rounds,
                                         woken_after_its_vote, failure_during_votes,
                                         stop_with_loot_under_way, four_thieves),
                         [](const auto& scene) { return scene.param().name; });

}  // namespace
}  // namespace belay::sim
