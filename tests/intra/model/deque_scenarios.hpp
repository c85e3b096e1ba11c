// What is explored of the deque: an owner that pushes and takes, and thieves.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "tests/intra/model/explore.hpp"
// With the model's atomics:
#include "belay/intra/chase_lev_deque.hpp"

namespace belay::model {

// An item goes to exactly one taker, who sees what was written before it was pushed.
class Item {
 public:
  void prepare() { content_.set(kPrepared); }
  void take() {
    require(!taken_, "an item is taken twice");
    taken_ = true;
    require(content_.get() == kPrepared, "an item's content is not visible");
    content_.set(0);  // a race with whoever believes that the item is his
  }
  [[nodiscard]] bool taken() const { return taken_; }

 private:
  static constexpr int kPrepared = 42;

  Plain<int> content_;
  bool taken_ = false;
};

// The owner does what the script says, + is push and - is take, first alone and then while each
// thief tries to steal so often. What they leave, the owner takes in the end.
template <class Script>
class DequeScenario {
 public:
  static constexpr int kThreads = 1 + Script::kThieves;
  static constexpr int kStarts = 0;

  DequeScenario() { follow(Script::kBefore); }

  void run(std::size_t index) {
    if (index == 0) return follow(Script::kOwner);
    Deque::Thief thief(deque_);
    for (int i = 0; i < Script::kSteals; ++i) {
      Item* item = nullptr;
      if (thief.steal(item) != Steal::got) continue;
      require(item != nullptr, "a slot is not visible");
      item->take();
    }
  }

  void check() {
    while (Item* item = owner_.take()) item->take();
    for (std::size_t i = 0; i < pushed_; ++i) require(items_.at(i).taken(), "an item is lost");
  }

 private:
  using Deque = ChaseLevDeque<Item>;

  void follow(std::string_view script) {
    for (const char step : script) {
      if (step == '+') {
        Item& item = items_.at(pushed_++);
        item.prepare();
        owner_.push(&item);
      } else if (Item* item = owner_.take()) {
        item->take();
      }
    }
  }

  Deque deque_{2};
  Deque::Owner owner_{deque_};
  std::array<Item, 8> items_;
  std::size_t pushed_ = 0;
};

// One item, wanted by all.
template <int Thieves>
struct LastItem {
  static constexpr std::string_view kBefore = "+";
  static constexpr std::string_view kOwner = "-";
  static constexpr int kThieves = Thieves;
  static constexpr int kSteals = 1;
};

// The owner takes the newer of two items without a claim while a thief is after both.
struct NewerOfTwo {
  static constexpr std::string_view kBefore = "++";
  static constexpr std::string_view kOwner = "-";
  static constexpr int kThieves = 1;
  static constexpr int kSteals = 2;
};

// The third item makes the ring grow; later slots are used again.
template <int Thieves>
struct Growth {
  static constexpr std::string_view kBefore = "";
  static constexpr std::string_view kOwner = "+++-+--";
  static constexpr int kThieves = Thieves;
  static constexpr int kSteals = 2;
};

// The slots of a full ring are used again as soon as an item is gone.
struct Reuse {
  static constexpr std::string_view kBefore = "++";
  static constexpr std::string_view kOwner = "-+-+";
  static constexpr int kThieves = 2;
  static constexpr int kSteals = 2;
};

}  // namespace belay::model
