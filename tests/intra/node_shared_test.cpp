#include "belay/intra/node_shared.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/intra/hang_guard.hpp"
#include "tests/intra/problems.hpp"
#include "tests/intra/rounds.hpp"
#include "tests/intra/threads.hpp"

namespace belay::test {
namespace {

using Shared = NodeShared<Scripted>;

void push(Post<std::vector<int>>& post, std::vector<int> bag) {
  ChaseLevDeque<Chunk<std::vector<int>>>::Owner(post.deque).push(make_chunk(std::move(bag)));
}

TEST(NodeShared, HasAPostForEachWorkerAndOneForTheCommunicationThread) {
  const Scripted problem;
  Shared shared(problem, options_for(3));
  EXPECT_EQ(shared.posts.size(), 4U);
  EXPECT_EQ(&shared.communication_post(), &shared.posts[3]);
  EXPECT_EQ(shared.barrier.workers(), 3);
}

TEST(NodeShared, PostsDoNotShareCacheLines) {
  const Scripted problem;
  Shared shared(problem, options_for(2));
  for (const auto& post : shared.posts) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&post) % kCacheLine, 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&post.attention) % kCacheLine, 0U);
  }
}

TEST(NodeShared, WorkIsVisibleOnAnyPost) {
  const Scripted problem;
  for (std::size_t i = 0; i < 3; ++i) {
    Shared shared(problem, options_for(2));
    EXPECT_FALSE(shared.work_visible());
    push(shared.posts[i], {1});
    EXPECT_TRUE(shared.work_visible());
  }
}

TEST(NodeShared, ChunksLeftBehindAreFreed) {
  struct Held : Scripted {
    using Bag = std::vector<std::shared_ptr<int>>;
    [[nodiscard]] Bag empty_bag() const { return {}; }
    void process(Bag& /*bag*/, long& /*result*/, Quantum& /*quantum*/) const {}
    [[nodiscard]] Bag split(Bag& /*bag*/, Share /*share*/) const { return {}; }
    void merge(Bag& /*into*/, Bag&& /*from*/) const {}
    void pack(const Bag& /*bag*/, Packer& /*packer*/) const {}
    [[nodiscard]] Bag unpack(Unpacker& /*unpacker*/) const { return {}; }
  };
  const Held problem;
  const auto task = std::make_shared<int>();
  {
    NodeShared<Held> shared(problem, options_for(2));
    for (auto& post : shared.posts) {
      ChaseLevDeque<Chunk<Held::Bag>>::Owner owner(post.deque);
      for (int i = 0; i < 20; ++i) owner.push(make_chunk(Held::Bag{task, task}));
    }
    EXPECT_EQ(task.use_count(), 1 + 3 * 20 * 2);
  }
  EXPECT_EQ(task.use_count(), 1);
}

TEST(NodeShared, BeckonRaisesOneFlagAndBeckonAllEach) {
  const Scripted problem;
  Shared shared(problem, options_for(2));
  shared.beckon(1);
  EXPECT_FALSE(shared.posts[0].attention);
  EXPECT_TRUE(shared.posts[1].attention);
  shared.beckon_all();
  EXPECT_TRUE(shared.posts[0].attention);
  EXPECT_TRUE(shared.posts[1].attention);
}

TEST(NodeShared, WhoLowersTheFlagAfterTheEndSeesTheEnd) {
  // Thieves raise the flag at the same time, before the end or on top of it.
  const HangGuard guard;
  const Scripted problem;
  for (Rounds rounds(500); rounds.next();) {
    Shared shared(problem, options_for(1));
    int message = 0;  // not atomic: written before the end, read by who saw the flag
    std::atomic<int> ready{0};
    Threads threads(3, [&](int i) {
      ++ready;
      await([&] { return ready == 3; });
      if (i == 0) {
        message = 42;
        shared.end();
      } else if (i == 1) {
        for (int beckons = 0; beckons < 20; ++beckons) shared.beckon(0);
      } else {
        auto& attention = shared.posts[0].attention;
        while (!shared.barrier.ended()) attention.exchange(false, std::memory_order_acquire);
        EXPECT_EQ(message, 42);
      }
    });
  }
}

TEST(NodeShared, EndRaisesAllFlagsEvenRaisedOnes) {
  const Scripted problem;
  Shared shared(problem, options_for(2));
  shared.beckon(0);
  shared.end();
  EXPECT_TRUE(shared.barrier.ended());
  for (const auto& post : shared.posts) EXPECT_TRUE(post.attention);
}

TEST(NodeShared, FirstFailureCountsAndEachRings) {
  const Scripted problem;
  Shared shared(problem, options_for(2));
  shared.fail("first");
  EXPECT_TRUE(shared.doorbell.answer());
  shared.fail("second");
  EXPECT_TRUE(shared.doorbell.answer());
  EXPECT_EQ(shared.failure, "first");
}

TEST(NodeShared, ChunkRingsTheDoorbellOnlyWhereSurplusIsWanted) {
  const Scripted problem;
  Shared shared(problem, options_for(2));
  shared.chunk_appeared();
  EXPECT_FALSE(shared.doorbell.answer());
  shared.surplus_wanted = true;
  shared.chunk_appeared();
  EXPECT_TRUE(shared.doorbell.answer());
}

}  // namespace
}  // namespace belay::test
