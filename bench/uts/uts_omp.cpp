// uts-omp: counts a UTS tree with OpenMP tasks, one per node or per batch of nodes.
//
// OpenMP's runtimes run a task at once, inside the one that makes it, when there are many
// already. With a task per node a thread's stack is then as deep as the tree, so that this
// program wants large stacks; they are set before the runtime starts, by starting over.
#include <omp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "bench/uts/peer.hpp"

namespace {

struct Search {
  const apps::UtsProblem& problem;
  const bench::UtsPeerOptions& options;
  bench::Tallies tallies;

  bench::Tally& tally() { return tallies[static_cast<std::size_t>(omp_get_thread_num())]; }
};

void visit(Search* search, const apps::Node& node) {
  search->problem.expand(node, search->tally().result, [search](const apps::Node& child) {
    const apps::Node copy = child;
#pragma omp task firstprivate(search, copy)
    visit(search, copy);
  });
}

void work_off(Search* search, std::unique_ptr<std::vector<apps::Node>> stack) {
  while (!stack->empty()) {
    auto part = work_off_batch(search->problem, *stack, search->options, search->tally());
    if (part.empty()) continue;
    // firstprivate would copy the vector.
    auto* const given = new std::vector<apps::Node>(std::move(part));
#pragma omp task firstprivate(search, given)
    work_off(search, std::unique_ptr<std::vector<apps::Node>>(given));
  }
}

bench::Tallies count(const apps::UtsProblem& problem, const bench::UtsPeerOptions& options) {
  Search search{problem, options, bench::Tallies(static_cast<std::size_t>(options.threads))};
#pragma omp parallel num_threads(options.threads)
#pragma omp single
  {
    if (options.batch > 0) {
      work_off(&search, std::make_unique<std::vector<apps::Node>>(problem.root_bag()));
    } else {
      visit(&search, problem.root_bag().front());
    }
  }
  return search.tallies;
}

void start_over_with_large_stacks(char** argv) {
  if (std::getenv("OMP_STACKSIZE") != nullptr) return;
  rlimit limit{};
  getrlimit(RLIMIT_STACK, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, rlim_t{1} << 30U);
  setrlimit(RLIMIT_STACK, &limit);
  setenv("OMP_STACKSIZE", "1G", 1);
  execv("/proc/self/exe", argv);
}

}  // namespace

int main(int argc, char** argv) {
  start_over_with_large_stacks(argv);
  return bench::run_uts_peer({.name = "uts-omp", .scheduler = "with OpenMP tasks"}, argc, argv,
                             count);
}
