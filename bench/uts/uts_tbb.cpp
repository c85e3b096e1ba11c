// uts-tbb: counts a UTS tree with a oneTBB task_group, a task per node or per batch of nodes.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "bench/uts/peer.hpp"

namespace {

struct Search {
  const apps::UtsProblem& problem;
  const bench::UtsPeerOptions& options;
  tbb::task_group group;
  bench::Tallies tallies;

  bench::Tally& tally() {
    return tallies[static_cast<std::size_t>(tbb::this_task_arena::current_thread_index())];
  }
};

struct NodeTask {
  Search* search;
  apps::Node node;

  void operator()() const {
    search->problem.expand(node, search->tally().result, [this](const apps::Node& child) {
      search->group.run(NodeTask{search, child});
    });
  }
};

struct BatchTask {
  Search* search;
  mutable std::vector<apps::Node> stack;  // tasks are called as constants

  void operator()() const {
    while (!stack.empty()) {
      auto part = work_off_batch(search->problem, stack, search->options, search->tally());
      if (!part.empty()) search->group.run(BatchTask{search, std::move(part)});
    }
  }
};

bench::Tallies count(const apps::UtsProblem& problem, const bench::UtsPeerOptions& options) {
  const auto threads = static_cast<std::size_t>(options.threads);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(options.threads);
  Search search{problem, options, {}, bench::Tallies(threads)};
  arena.execute([&] {
    if (options.batch > 0) {
      search.group.run(BatchTask{&search, problem.root_bag()});
    } else {
      search.group.run(NodeTask{&search, problem.root_bag().front()});
    }
    search.group.wait();
  });
  return std::move(search.tallies);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_uts_peer({.name = "uts-tbb", .scheduler = "with oneTBB's task_group"}, argc,
                             argv, count);
}
