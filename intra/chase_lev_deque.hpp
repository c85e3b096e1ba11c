// ChaseLevDeque: the deque on which a thread shows chunks to its thieves.
//
// The owner pushes and takes at the bottom, thieves steal at the top. Items are pointers; the
// deque does not own what they point to. It is a growing ring indexed by signed 64-bit counts
// that never wrap.
//
// Invariant: top <= bottom + 1, and the items are those in slots [top, bottom). Each item
// goes to exactly one taker: an index is claimed by moving top past it, except that the owner
// takes the bottom one without when at least one more lies above.
//
// Owner and thieves see the deque through different types. One thread holds the Owner; any
// thread may hold a Thief.
//
// Source: Chase and Lev 2005 (10.1145/1073970.1073974) with the C11 orders of Le, Pop, Cohen
// and Zappa Nardelli 2013 (10.1145/2442516.2442524), mended: the array is published with
// release and read with acquire (Norris and Demsky 2013, 10.1145/2509136.2509514), and
// sequentially consistent accesses stand where they have fences, since thread sanitizer does
// not understand fences. Old arrays live until the deque dies, because a slow thief may still
// read them; they sum up to less than the current one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace belay {

enum class Steal : std::uint8_t {
  got,    // the item is yours
  empty,  // nothing was there
  lost,   // somebody else took the item that was seen; try again
};

inline constexpr std::size_t kCacheLine = 64;

template <class T>
class ChaseLevDeque {
 public:
  static constexpr std::int64_t kInitialCapacity = 16;

  // capacity: of the first array, a power of two.
  explicit ChaseLevDeque(std::int64_t capacity = kInitialCapacity) {
    ring_.store(add_ring(capacity), std::memory_order_relaxed);
  }

  class Owner {
   public:
    explicit Owner(ChaseLevDeque& deque) noexcept : deque_(&deque) {}
    void push(T* item) { deque_->push(item); }
    // The newest item, or nullptr when there is none.
    [[nodiscard]] T* take() noexcept { return deque_->take(); }
    // Exact but for steals under way, which can only make it smaller.
    [[nodiscard]] std::int64_t size() const noexcept { return deque_->size(); }

   private:
    ChaseLevDeque* deque_;
  };

  class Thief {
   public:
    explicit Thief(ChaseLevDeque& deque) noexcept : deque_(&deque) {}
    // Sets item only when it returns Steal::got.
    [[nodiscard]] Steal steal(T*& item) noexcept { return deque_->steal(item); }
    // A recent size; see ChaseLevDeque::size for its order.
    [[nodiscard]] std::int64_t size() const noexcept { return deque_->size(); }

   private:
    ChaseLevDeque* deque_;
  };

 private:
  class Ring {
   public:
    explicit Ring(std::int64_t capacity)
        : mask_(capacity - 1), slots_(static_cast<std::size_t>(capacity)) {}
    [[nodiscard]] std::int64_t capacity() const noexcept { return mask_ + 1; }
    [[nodiscard]] std::atomic<T*>& slot(std::int64_t index) noexcept {
      return slots_[static_cast<std::size_t>(index & mask_)];
    }

   private:
    std::int64_t mask_;
    std::vector<std::atomic<T*>> slots_;
  };

  void push(T* item) {
    const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);  // own value
    // [deque.room] acquire; pairs with [deque.claim]: a slot is used again only after the
    // thief that claimed its old item has read it.
    const std::int64_t top = top_.load(std::memory_order_acquire);
    Ring* ring = ring_.load(std::memory_order_relaxed);  // own value
    if (bottom - top >= ring->capacity()) ring = grow(*ring, top, bottom);
    // Relaxed: made visible by the next store.
    ring->slot(bottom).store(item, std::memory_order_relaxed);
    // [deque.push] seq_cst; pairs with [deque.look] and [deque.size]: who sees the new bottom
    // sees the slot and what it points to; and it comes before the owner's later look for
    // sleepers ([barrier.sleepers]) in the one total order.
    bottom_.store(bottom + 1, std::memory_order_seq_cst);
  }

  T* take() noexcept {
    const std::int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;  // own value
    // [deque.none] acquire; pairs with [deque.claim]: an owner that goes waiting because a
    // thief emptied its deque comes after the thief, which had left the barrier. Top only
    // grows: empty now is empty for good, and the ordered accesses are saved.
    if (top_.load(std::memory_order_acquire) > bottom) return nullptr;
    Ring* ring = ring_.load(std::memory_order_relaxed);  // own value
    // [deque.reserve] seq_cst; pairs with [deque.look]: either the thief sees the smaller
    // bottom, or its claim of the same index is seen by the next load.
    bottom_.store(bottom, std::memory_order_seq_cst);
    // [deque.check] seq_cst; pairs with [deque.claim]: see [deque.reserve].
    std::int64_t top = top_.load(std::memory_order_seq_cst);
    T* item = nullptr;
    if (top <= bottom) {
      item = ring->slot(bottom).load(std::memory_order_relaxed);  // own value
      if (top < bottom) return item;
      // [deque.last] seq_cst; pairs with [deque.claim]: the last item goes to whoever moves
      // top, the owner as much as a thief.
      // [deque.lost] acquire; pairs with [deque.claim]: when a thief was faster; see
      // [deque.none].
      if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                        std::memory_order_acquire)) {
        item = nullptr;
      }
    }
    // Relaxed: the deque is empty; a thief that reads this bottom finds top equal to it, or
    // read an older top and fails its claim.
    bottom_.store(bottom + 1, std::memory_order_relaxed);
    return item;
  }

  Steal steal(T*& item) noexcept {
    // [deque.oldest] seq_cst: before the load of bottom in the total order, so that a top
    // that is still right was read together with a bottom that is not newer than it may be.
    std::int64_t top = top_.load(std::memory_order_seq_cst);
    // [deque.look] seq_cst; pairs with [deque.push] and [deque.reserve].
    const std::int64_t bottom = bottom_.load(std::memory_order_seq_cst);
    if (top >= bottom) return Steal::empty;
    // [deque.ring] acquire; pairs with [deque.grow]: the copied slots are visible.
    Ring* ring = ring_.load(std::memory_order_acquire);
    // Relaxed: a stale value is thrown away, since the claim then fails.
    T* seen = ring->slot(top).load(std::memory_order_relaxed);
    // [deque.claim] seq_cst; pairs with [deque.room], [deque.check] and [deque.last]: the
    // read of the slot comes before the slot can be used again, and one taker wins. Also
    // pairs with [deque.none], [deque.lost] and [deque.gone]: who sees an item gone sees what
    // its thief did before.
    if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                      std::memory_order_relaxed)) {
      return Steal::lost;
    }
    item = seen;
    return Steal::got;
  }

  [[nodiscard]] std::int64_t size() const noexcept {
    // [deque.size] seq_cst; pairs with [deque.push]: who has announced that it is going to
    // sleep and then sees no item here is seen by the push that follows.
    const std::int64_t bottom = bottom_.load(std::memory_order_seq_cst);
    // [deque.gone] acquire; pairs with [deque.claim]: who sees that the last item is gone and
    // then counts the waiting workers ([barrier.count]) does not count its thief.
    const std::int64_t top = top_.load(std::memory_order_acquire);
    return bottom > top ? bottom - top : 0;
  }

  Ring* grow(Ring& old, std::int64_t top, std::int64_t bottom) {
    Ring* ring = add_ring(old.capacity() * 2);
    for (std::int64_t i = top; i < bottom; ++i) {
      ring->slot(i).store(old.slot(i).load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    // [deque.grow] release; pairs with [deque.ring].
    ring_.store(ring, std::memory_order_release);
    return ring;
  }

  Ring* add_ring(std::int64_t capacity) {
    return rings_.emplace_back(std::make_unique<Ring>(capacity)).get();
  }

  // Thieves write top, the owner bottom: each on a cache line of its own.
  alignas(kCacheLine) std::atomic<std::int64_t> top_{0};
  alignas(kCacheLine) std::atomic<std::int64_t> bottom_{0};
  std::atomic<Ring*> ring_{nullptr};
  std::vector<std::unique_ptr<Ring>> rings_;  // the owner's; the last one is current
};

}  // namespace belay
