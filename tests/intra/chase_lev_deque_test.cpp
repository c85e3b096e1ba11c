#include "belay/intra/chase_lev_deque.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <ostream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "belay/core/rng.hpp"
#include "tests/intra/hang_guard.hpp"
#include "tests/intra/rounds.hpp"
#include "tests/intra/threads.hpp"

namespace belay::test {
namespace {

struct Item {
  // Written by the owner before the push and by the taker after it, without atomics: the
  // thread sanitizer sees an item that is taken twice or before it is visible.
  int number = 0;
  int taken = 0;
};

using Deque = ChaseLevDeque<Item>;

template <class End>
concept CanPush = requires(End end, Item* item) {
  end.push(item);
};
template <class End>
concept CanTake = requires(End end) {
  end.take();
};
template <class End>
concept CanSteal = requires(End end, Item* item) {
  end.steal(item);
};

static_assert(CanPush<Deque::Owner> && CanTake<Deque::Owner> && CanSteal<Deque::Thief>);
static_assert(!CanSteal<Deque::Owner> && !CanPush<Deque::Thief> && !CanTake<Deque::Thief>);
static_assert(!CanPush<Deque&> && !CanTake<Deque&> && !CanSteal<Deque&>, "by its ends alone");

// Items 0 to count-1, and how many of them were taken.
class Items {
 public:
  explicit Items(int count) : items_(static_cast<std::size_t>(count)) {
    for (int i = 0; i < count; ++i) items_[static_cast<std::size_t>(i)].number = i;
  }

  Item* operator[](int i) { return &items_[static_cast<std::size_t>(i)]; }

  void take(Item* item) {
    ++item->taken;
    taken_.fetch_add(1, std::memory_order_relaxed);
    sum_.fetch_add(item->number, std::memory_order_relaxed);
  }

  // That the first `pushed` items were, and no other. Call when all threads have ended.
  void expect_each_taken_once(int pushed) const {
    EXPECT_EQ(taken_, pushed);
    EXPECT_EQ(sum_, std::int64_t{pushed} * (pushed - 1) / 2);
    for (const Item& item : items_) {
      ASSERT_EQ(item.taken, item.number < pushed ? 1 : 0) << "item " << item.number;
    }
  }

 private:
  std::vector<Item> items_;
  std::atomic<std::int64_t> taken_{0};
  std::atomic<std::int64_t> sum_{0};
};

Item* steal(Deque& deque) {
  Item* item = nullptr;
  return Deque::Thief(deque).steal(item) == Steal::got ? item : nullptr;
}

// Thieves that steal until the owner, who has emptied the deque, sends them home.
class Robbers {
 public:
  Robbers(int count, Deque& deque, Items& items)
      : threads_(count, [this, &deque, &items](int) {
          Deque::Thief thief(deque);
          while (!over_) {
            Item* item = nullptr;
            const Steal outcome = thief.steal(item);
            if (outcome == Steal::got) items.take(item);
            if (outcome == Steal::empty) std::this_thread::yield();
          }
        }) {}

  ~Robbers() { over_ = true; }
  Robbers(const Robbers&) = delete;
  Robbers& operator=(const Robbers&) = delete;

  void send_home() {
    over_ = true;
    threads_.join();
  }

 private:
  std::atomic<bool> over_{false};
  Threads threads_;
};

TEST(ChaseLevDeque, IsEmptyAtFirst) {
  Deque deque;
  Deque::Owner owner(deque);
  EXPECT_EQ(owner.size(), 0);
  EXPECT_EQ(Deque::Thief(deque).size(), 0);
  EXPECT_EQ(owner.take(), nullptr);
  EXPECT_EQ(owner.take(), nullptr);
  EXPECT_EQ(owner.size(), 0);
}

TEST(ChaseLevDeque, EmptyOneLeavesTheThiefsItemAlone) {
  Deque deque;
  Item mine;
  Item* item = &mine;
  EXPECT_EQ(Deque::Thief(deque).steal(item), Steal::empty);
  EXPECT_EQ(item, &mine);
}

TEST(ChaseLevDeque, OwnerTakesTheNewest) {
  Deque deque;
  Deque::Owner owner(deque);
  Items items(3);
  for (int i = 0; i < 3; ++i) owner.push(items[i]);
  for (int i = 2; i >= 0; --i) EXPECT_EQ(owner.take(), items[i]);
  EXPECT_EQ(owner.take(), nullptr);
}

TEST(ChaseLevDeque, ThiefStealsTheOldest) {
  Deque deque;
  Deque::Owner owner(deque);
  Items items(3);
  for (int i = 0; i < 3; ++i) owner.push(items[i]);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(steal(deque), items[i]);
  EXPECT_EQ(steal(deque), nullptr);
}

TEST(ChaseLevDeque, LastItemGoesToWhoComesFirst) {
  Deque deque;
  Deque::Owner owner(deque);
  Items items(2);
  owner.push(items[0]);
  EXPECT_EQ(steal(deque), items[0]);
  EXPECT_EQ(owner.take(), nullptr);
  owner.push(items[1]);
  EXPECT_EQ(owner.take(), items[1]);
  EXPECT_EQ(steal(deque), nullptr);
}

TEST(ChaseLevDeque, TellsItsSizeToOwnerAndThieves) {
  Deque deque;
  Deque::Owner owner(deque);
  const Deque::Thief thief(deque);
  Items items(40);
  for (int i = 0; i < 40; ++i) {
    owner.push(items[i]);
    EXPECT_EQ(owner.size(), i + 1);
    EXPECT_EQ(thief.size(), i + 1);
  }
  static_cast<void>(steal(deque));
  static_cast<void>(owner.take());
  EXPECT_EQ(owner.size(), 38);
  EXPECT_EQ(thief.size(), 38);
}

TEST(ChaseLevDeque, GrowsBeyondItsCapacity) {
  Deque deque(1);
  Deque::Owner owner(deque);
  Items items(1000);
  for (int i = 0; i < 1000; ++i) owner.push(items[i]);
  EXPECT_EQ(owner.size(), 1000);
  for (int i = 0; i < 500; ++i) EXPECT_EQ(steal(deque), items[i]);
  for (int i = 999; i >= 500; --i) EXPECT_EQ(owner.take(), items[i]);
}

TEST(ChaseLevDeque, GrowsWithWrappedIndices) {
  // The oldest item stands in each slot of the ring in turn when it grows.
  for (int offset = 0; offset < 8; ++offset) {
    Deque deque(4);
    Deque::Owner owner(deque);
    Items items(offset + 9);
    for (int i = 0; i < offset; ++i) {
      owner.push(items[i]);
      ASSERT_EQ(steal(deque), items[i]);
    }
    for (int i = offset; i < offset + 9; ++i) owner.push(items[i]);
    for (int i = offset; i < offset + 5; ++i) ASSERT_EQ(steal(deque), items[i]) << offset;
    for (int i = offset + 8; i >= offset + 5; --i) ASSERT_EQ(owner.take(), items[i]) << offset;
    EXPECT_EQ(owner.take(), nullptr);
  }
}

TEST(ChaseLevDeque, DoesWhatASequentialDequeDoes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    Deque deque(2);
    Deque::Owner owner(deque);
    std::deque<Item*> expected;
    Items items(5000);
    for (int i = 0; i < 5000; ++i) {
      // Phases in which it rather grows and such in which it rather shrinks.
      const bool grows = i / 500 % 2 == 0;
      const std::uint32_t dice = rng.below(10);
      if (dice < (grows ? 6U : 3U)) {
        owner.push(items[i]);
        expected.push_back(items[i]);
      } else if (dice < 8) {
        Item* newest = expected.empty() ? nullptr : expected.back();
        if (!expected.empty()) expected.pop_back();
        ASSERT_EQ(owner.take(), newest) << "seed " << seed << ", step " << i;
      } else {
        Item* oldest = expected.empty() ? nullptr : expected.front();
        if (!expected.empty()) expected.pop_front();
        ASSERT_EQ(steal(deque), oldest) << "seed " << seed << ", step " << i;
      }
      ASSERT_EQ(owner.size(), static_cast<std::int64_t>(expected.size()));
    }
  }
}

TEST(ChaseLevDeque, DoesNotOwnItsItems) {
  Items items(100);
  {
    Deque deque;
    Deque::Owner owner(deque);
    for (int i = 0; i < 100; ++i) owner.push(items[i]);
  }
  EXPECT_EQ(items[99]->number, 99);
}

// How the owner behaves while it is robbed.
struct Owning {
  const char* name;
  std::int64_t capacity;
  int burst;         // pushes in a row
  int taken_back;    // of them, taken by the owner
  int most_at_once;  // waits while the deque holds more, so that the ring does not grow
};

void PrintTo(const Owning& owning, std::ostream* out) { *out << owning.name; }

class ChaseLevDequeStress : public testing::TestWithParam<std::tuple<Owning, int>> {};

TEST_P(ChaseLevDequeStress, EachItemGoesToExactlyOneTaker) {
  const HangGuard guard;
  const auto& [owning, thieves] = GetParam();
  constexpr int kMost = 60'000;
  Items items(kMost);
  Deque deque(owning.capacity);
  Robbers robbers(thieves, deque, items);
  Deque::Owner owner(deque);
  int pushed = 0;
  for (Rounds rounds(kMost / owning.burst); rounds.next();) {
    for (int i = 0; i < owning.burst; ++i) {
      while (owner.size() >= owning.most_at_once) std::this_thread::yield();
      owner.push(items[pushed++]);
    }
    for (int i = 0; i < owning.taken_back; ++i) {
      if (Item* item = owner.take()) items.take(item);
    }
  }
  while (Item* item = owner.take()) items.take(item);
  robbers.send_home();
  items.expect_each_taken_once(pushed);
  EXPECT_EQ(owner.size(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Owners, ChaseLevDequeStress,
    testing::Combine(testing::Values(Owning{"alternating", 16, 1, 1, 1'000'000},
                                     Owning{"in_bursts", 16, 50, 30, 1'000'000},
                                     Owning{"growing_while_robbed", 1, 3000, 200, 1'000'000},
                                     Owning{"pushing_alone", 2, 1, 0, 1'000'000},
                                     Owning{"reusing_two_slots", 2, 1, 0, 2},
                                     Owning{"reusing_four_slots", 4, 4, 2, 4}),
                     testing::Values(1, 2, 4)),
    [](const auto& the_case) {
      return std::string(std::get<0>(the_case.param).name) + "_against_" +
             std::to_string(std::get<1>(the_case.param));
    });

TEST(ChaseLevDeque, LastItemGoesToExactlyOneTaker) {
  const HangGuard guard;
  constexpr int kMost = 100'000;
  Items items(kMost);
  Deque deque;
  Robbers robbers(2, deque, items);
  Deque::Owner owner(deque);
  Rounds rounds(kMost);
  while (rounds.next()) {
    Item* pushed = items[rounds.index()];
    owner.push(pushed);
    Item* item = owner.take();
    EXPECT_TRUE(item == nullptr || item == pushed) << "an older one cannot be left";
    if (item != nullptr) items.take(item);
    EXPECT_EQ(owner.take(), nullptr) << "whoever took the last one, none is left";
  }
  robbers.send_home();
  items.expect_each_taken_once(rounds.index());
}

TEST(ChaseLevDeque, ThievesAloneEmptyIt) {
  // A thief that lost a race tries again, and none is told that it is empty too early.
  const HangGuard guard;
  constexpr int kItems = 30'000;
  Items items(kItems);
  Deque deque;
  Deque::Owner owner(deque);
  for (int i = 0; i < kItems; ++i) owner.push(items[i]);
  Threads thieves(3, [&](int) {
    Deque::Thief thief(deque);
    Item* item = nullptr;
    for (Steal outcome = Steal::got; outcome != Steal::empty;) {
      outcome = thief.steal(item);
      if (outcome == Steal::got) items.take(item);
    }
    EXPECT_EQ(thief.size(), 0);
  });
  thieves.join();
  items.expect_each_taken_once(kItems);
}

TEST(ChaseLevDeque, EachThiefTakesInTheOrderOfThePushes) {
  const HangGuard guard;
  constexpr int kItems = 50'000;
  Items items(kItems);
  Deque deque(1);
  std::atomic<bool> over{false};
  Threads thieves(2, [&](int) {
    Deque::Thief thief(deque);
    int last = -1;
    while (!over || thief.size() > 0) {
      Item* item = nullptr;
      if (thief.steal(item) != Steal::got) continue;
      EXPECT_GT(item->number, last);
      last = item->number;
      items.take(item);
    }
  });
  Deque::Owner owner(deque);
  for (int i = 0; i < kItems; ++i) owner.push(items[i]);
  over = true;
  thieves.join();
  items.expect_each_taken_once(kItems);
}

TEST(ChaseLevDeque, SizeNeverShowsAnItemThatWasNotPushed) {
  const HangGuard guard;
  constexpr int kRounds = 50'000;
  constexpr std::int64_t kMost = 3;
  Items items(kRounds);
  Deque deque;
  std::atomic<bool> over{false};
  std::atomic<std::int64_t> largest{0};
  std::atomic<std::int64_t> least{0};
  Threads watcher(1, [&](int) {
    const Deque::Thief thief(deque);
    while (!over) {
      const std::int64_t size = thief.size();
      if (size > largest) largest = size;
      if (size < least) least = size;
    }
  });
  Deque::Owner owner(deque);
  for (int i = 0; i + kMost <= kRounds; i += kMost) {
    for (int j = 0; j < kMost; ++j) owner.push(items[i + j]);
    for (int j = 0; j < kMost; ++j) static_cast<void>(owner.take());
  }
  over = true;
  watcher.join();
  EXPECT_LE(largest, kMost);
  EXPECT_EQ(least, 0);
}

}  // namespace
}  // namespace belay::test
