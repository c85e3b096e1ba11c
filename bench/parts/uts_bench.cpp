// UTS against the hardware: the sequential traversal of T1 and T3, beside the bare hash loop that
// bounds it. Both report hashes per second (a tree of n nodes takes n - 1 of them), so that their
// ratio is the share of the limit that the traversal reaches.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <string>

#include "apps/uts/known_trees.hpp"
#include "apps/uts/sha1.hpp"
#include "apps/uts/uts.hpp"

namespace apps {
namespace {

void bare_hash(benchmark::State& state, HashKernel kernel) {
  constexpr std::uint32_t kStreams = 4;
  const HashChildren hash = hash_children(kernel);
  std::array<State, kStreams> states{root_state(1)};
  for (auto _ : state) hash(State(states[0]), 0, kStreams, states.data());
  state.SetItemsProcessed(static_cast<std::int64_t>(kStreams) * state.iterations());
}

void traversal(benchmark::State& state, const std::string& tree, HashKernel kernel) {
  const UtsProblem problem(find_known_tree(tree)->parameters, kernel);
  std::int64_t hashes = 0;
  for (auto _ : state) {
    hashes += static_cast<std::int64_t>(count_sequentially(problem).nodes) - 1;
  }
  state.SetItemsProcessed(hashes);
}

BENCHMARK_CAPTURE(bare_hash, openssl, HashKernel::openssl);
BENCHMARK_CAPTURE(traversal, T1_openssl, "T1", HashKernel::openssl);
BENCHMARK_CAPTURE(traversal, T3_openssl, "T3", HashKernel::openssl);
BENCHMARK_CAPTURE(bare_hash, fastest, HashKernel::automatic);
BENCHMARK_CAPTURE(traversal, T1_fastest, "T1", HashKernel::automatic);
BENCHMARK_CAPTURE(traversal, T3_fastest, "T3", HashKernel::automatic);

}  // namespace
}  // namespace apps
