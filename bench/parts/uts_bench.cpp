// UTS against the hardware: the sequential traversal beside the bare hash loop that bounds it, four
// siblings at a time. Rates are in hashes per second (a tree of n nodes takes n - 1 of them);
// share_of_limit measures both in turn, as many hashes each, and its counter is the share of the
// limit that the traversal reaches.
#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>

#include "apps/uts/known_trees.hpp"
#include "apps/uts/sha1.hpp"
#include "apps/uts/uts.hpp"

namespace apps {
namespace {

constexpr std::uint32_t kStreams = 4;

void bare_hash(benchmark::State& state, HashKernel kernel) {
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

void share_of_limit(benchmark::State& state, const std::string& tree, HashKernel kernel) {
  using Clock = std::chrono::steady_clock;
  const KnownTree& known = *find_known_tree(tree);
  const UtsProblem problem(known.parameters, kernel);
  const HashChildren hash = hash_children(kernel);
  std::array<State, kStreams> states{root_state(1)};
  Clock::duration bare{};
  Clock::duration traversed{};
  for (auto _ : state) {
    const auto start = Clock::now();
    for (std::uint64_t hashes = 1; hashes < known.nodes; hashes += kStreams) {
      hash(State(states[0]), 0, kStreams, states.data());
    }
    benchmark::DoNotOptimize(states);
    const auto middle = Clock::now();
    benchmark::DoNotOptimize(count_sequentially(problem));
    bare += middle - start;
    traversed += Clock::now() - middle;
  }
  state.counters["ratio"] =
      static_cast<double>(bare.count()) / static_cast<double>(traversed.count());
}

BENCHMARK_CAPTURE(bare_hash, openssl, HashKernel::openssl);
BENCHMARK_CAPTURE(traversal, T1_openssl, "T1", HashKernel::openssl);
BENCHMARK_CAPTURE(traversal, T3_openssl, "T3", HashKernel::openssl);
BENCHMARK_CAPTURE(bare_hash, fastest, HashKernel::automatic);
BENCHMARK_CAPTURE(traversal, T1_fastest, "T1", HashKernel::automatic);
BENCHMARK_CAPTURE(traversal, T3_fastest, "T3", HashKernel::automatic);
BENCHMARK_CAPTURE(share_of_limit, T1, "T1", HashKernel::automatic);
BENCHMARK_CAPTURE(share_of_limit, T3, "T3", HashKernel::automatic);

}  // namespace
}  // namespace apps
