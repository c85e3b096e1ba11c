// What a node's pieces cost: the deque, a chunk's shell, and a quantum's question. The figures
// bound what scheduling adds to a task when they are divided by the tasks of a chunk or quantum.
#include <benchmark/benchmark.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "belay/core/quantum.hpp"
#include "belay/core/share.hpp"
#include "belay/core/task_problem.hpp"
#include "belay/intra/chase_lev_deque.hpp"
#include "belay/intra/chunk.hpp"

namespace belay {
namespace {

void push_and_take(benchmark::State& state) {
  ChaseLevDeque<int> deque;
  ChaseLevDeque<int>::Owner owner(deque);
  int item = 0;
  for (auto _ : state) {
    owner.push(&item);
    benchmark::DoNotOptimize(owner.take());
  }
}
BENCHMARK(push_and_take);

void push_and_steal(benchmark::State& state) {
  ChaseLevDeque<int> deque;
  ChaseLevDeque<int>::Owner owner(deque);
  ChaseLevDeque<int>::Thief thief(deque);
  int item = 0;
  for (auto _ : state) {
    owner.push(&item);
    int* stolen = nullptr;
    benchmark::DoNotOptimize(thief.steal(stolen));
  }
}
BENCHMARK(push_and_steal);

void chunk_made_and_opened(benchmark::State& state) {
  for (auto _ : state) {
    std::vector<int> bag;
    benchmark::DoNotOptimize(open_chunk(make_chunk(std::move(bag))));
  }
}
BENCHMARK(chunk_made_and_opened);

void quantum_take(benchmark::State& state) {
  const std::atomic<bool> attention{false};
  Quantum quantum(attention, ~0U);
  for (auto _ : state) benchmark::DoNotOptimize(quantum.take());
}
BENCHMARK(quantum_take);

// Half of a stack of 24-byte tasks given away and merged back.
void split_and_merge(benchmark::State& state) {
  using Task = std::array<std::uint32_t, 6>;
  std::vector<Task> stack(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    auto part = split_stack(stack, Share::half());
    stack.insert(stack.end(), part.begin(), part.end());
    benchmark::DoNotOptimize(stack.data());
  }
}
BENCHMARK(split_and_merge)->Arg(8)->Arg(64)->Arg(512);

}  // namespace
}  // namespace belay
