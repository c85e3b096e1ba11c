#include "belay/intra/chunk.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tests/intra/threads.hpp"

namespace belay::test {
namespace {

TEST(Chunk, GivesBackTheBagThatWasPutIn) {
  auto* chunk = make_chunk(std::vector<int>{1, 2, 3});
  EXPECT_EQ(open_chunk<std::vector<int>>(chunk), (std::vector<int>{1, 2, 3}));
}

TEST(Chunk, MovesTheBagAndNeverCopiesIt) {
  std::vector<std::unique_ptr<int>> bag;
  bag.push_back(std::make_unique<int>(7));
  const int* task = bag.front().get();
  auto* chunk = make_chunk(std::move(bag));
  const auto opened = open_chunk<std::vector<std::unique_ptr<int>>>(chunk);
  EXPECT_EQ(opened.front().get(), task);
}

TEST(Chunk, KeepsNothingOfTheBag) {
  const auto task = std::make_shared<int>(1);
  auto* chunk = make_chunk(std::vector<std::shared_ptr<int>>{task, task});
  EXPECT_EQ(task.use_count(), 3);
  static_cast<void>(open_chunk<std::vector<std::shared_ptr<int>>>(chunk));
  EXPECT_EQ(task.use_count(), 1);
}

TEST(Chunk, IsAlignedAsItsBagWants) {
  struct alignas(64) Bag {
    std::uint64_t content = 0;
  };
  std::vector<Chunk<Bag>*> chunks;
  for (std::uint64_t i = 0; i < 100; ++i) {
    chunks.push_back(make_chunk(Bag{i}));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(chunks.back()) % alignof(Bag), 0U);
  }
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(open_chunk<Bag>(chunks[i]).content, i);
}

TEST(Chunk, IsMadeByOneThreadAndOpenedByAnother) {
  using Bag = std::vector<int>;
  std::vector<Chunk<Bag>*> chunks;
  Threads(1, [&](int) {
    for (int i = 0; i < 1000; ++i) chunks.push_back(make_chunk(Bag{i}));
  }).join();
  Threads(1, [&](int) {
    for (int i = 0; i < 1000; ++i) {
      EXPECT_EQ(open_chunk<Bag>(chunks[static_cast<std::size_t>(i)]), Bag{i});
    }
  }).join();
}

}  // namespace
}  // namespace belay::test
