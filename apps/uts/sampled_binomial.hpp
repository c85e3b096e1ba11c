// A binomial tree that is too large to traverse, by its law: a bag is the number of its pending
// nodes, and how many children they have is drawn when they are processed.
//
// The size of a binomial tree says nothing of itself: it has no mean worth the name. So the tree is
// conditioned on its known number of nodes. Each inner node but the root throws m coins, the root
// b; a coin that shows heads is an inner child, and of n coins in all, L show heads, where L is the
// number of inner nodes below the root. Given n and L,
//
//   all orders of heads and tails that end when no node is pending, and not before, are equally
//   likely, whichever nodes are expanded first;
//   with P nodes pending and R still to be expanded, P among them, there are
//   (P / R) C(mR, R - P) such orders of the mR coins that are left (the cycle lemma: Dvoretzky and
//   Motzkin, 1947, 10.1215/S0012-7094-47-01423-3).
//
// So the number J of heads among the next mk coins is hypergeometric, with a weight that is
// proportional to P - k + J. A weight linear in J is a mixture of the law itself and of the law
// biased by J, which is one more than the hypergeometric number with one coin and one head less.
//
// Where a block of coins is less than a 1024th of those that are left, they are thrown with
// replacement: the mean is right, the variance at most 0.1 % too large.
//
// Coins are thrown in blocks for k nodes, k <= P, before any of these is expanded; who expands some
// nodes takes the next coins. All orders of a block's coins are equally likely, since P nodes do
// not run out within it. So what is thrown depends on the seed alone: with the same seed there are
// as many nodes pending when as many have been expanded, whoever does it, and in what order; those
// that a bag has begun are expanded. Otherwise two schedules could not be compared: how low that
// number gets by chance moves the efficiency of a binomial tree more than most of what one would
// compare.
//
// Bags are drawn from one urn: all runs of a simulation are on one thread, and so is this problem.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "apps/uts/tree.hpp"
#include "apps/uts/variates.hpp"
#include "belay/core/quantum.hpp"
#include "belay/core/share.hpp"

namespace apps {

// A belay::Problem; a task is the expansion of one inner node, as in UtsProblem.
class SampledBinomial {
 public:
  // Inner nodes; before any of those that are pending, some whose children are drawn.
  struct Bag {
    std::uint64_t begun = 0;
    std::uint64_t pending = 0;
    [[nodiscard]] std::uint64_t size() const noexcept { return begun + pending; }
  };
  using Result = std::uint64_t;  // tasks

  // nodes: of the whole tree, at least the root and its children. Throws std::invalid_argument if
  // the tree is no binomial one, or cannot have so many nodes.
  SampledBinomial(const TreeParameters& tree, std::uint64_t nodes, std::uint64_t seed)
      : m_(static_cast<std::uint64_t>(tree.m)), variates_(seed) {
    const auto children = static_cast<std::uint64_t>(tree.b0);
    const bool fits = tree.type == TreeType::binomial && m_ >= 2 && m_ <= kMaxChildren &&
                      children > 0 && nodes > children && (nodes - 1 - children) % m_ == 0;
    if (!fits) {
      throw std::invalid_argument("a binomial tree of " + std::to_string(nodes) +
                                  " nodes cannot be sampled with these parameters");
    }
    heads_ = (nodes - 1 - children) / m_;
    coins_ = children + m_ * heads_;
    root_coins_ = children;
  }

  [[nodiscard]] Bag root_bag() const { return {.pending = 1}; }

  [[nodiscard]] Bag empty_bag() const { return {}; }
  [[nodiscard]] Result identity() const { return 0; }

  void process(Bag& bag, Result& tasks, belay::Quantum& quantum) const {
    while (bag.size() > 0) {
      const bool is_begun = bag.begun > 0;
      const std::uint64_t count = quantum.take(is_begun ? bag.begun : bag.pending);
      if (count == 0) return;
      if (is_begun) {
        bag.begun -= count;
      } else {
        bag.pending += expand(count) - count;
      }
      tasks += count;
    }
  }

  // How many tasks, up to `wanted`, the bag has for certain: begins as many as that takes.
  std::uint64_t foresee(Bag& bag, std::uint64_t wanted) const {
    while (bag.begun < wanted && bag.pending > 0) {
      const std::uint64_t count = std::min(wanted - bag.begun, bag.pending);
      bag.pending += expand(count) - count;
      bag.begun += count;
    }
    return std::min(bag.begun, wanted);
  }

  [[nodiscard]] std::uint64_t tasks_held(const Bag& bag) const { return bag.pending; }

  // Below n nodes near criticality there are of the order of n^2 / variance, that of the number of
  // children, which is about m - 1.
  [[nodiscard]] double expected_tasks(const Bag& bag) const {
    const auto nodes = static_cast<double>(bag.pending);
    return static_cast<double>(bag.begun) + nodes * nodes / static_cast<double>(m_ - 1);
  }

  // Begun ones are, but for many.
  [[nodiscard]] std::uint64_t indivisible_tasks(const Bag& bag) const {
    return bag.pending == 0 && bag.begun < kMany ? bag.begun : 0;
  }

  // Many begun ones are shared out too, as they would not be begun without foresight.
  [[nodiscard]] Bag split(Bag& bag, belay::Share share) const {
    const Bag part{.begun = share.is_half() && bag.begun >= kMany ? bag.begun / 2 : 0,
                   .pending = share.of(bag.pending + (bag.begun > 0 ? 1 : 0))};
    bag.begun -= part.begun;
    bag.pending -= part.pending;
    return part;
  }
  void merge(Bag& into, Bag&& from) const {
    into.begun += from.begun;
    into.pending += from.pending;
  }
  static void reduce(Result& into, Result&& from) { into += from; }

 private:
  static constexpr std::uint64_t kBlock = 64;  // coins, a bit each
  static constexpr std::uint64_t kFewCoins = 1024 * kBlock;
  static constexpr std::uint64_t kMany = 64;

  // Inner children of `count` pending nodes.
  std::uint64_t expand(std::uint64_t count) const {
    std::uint64_t children = 0;
    while (count > 0) {
      std::uint64_t nodes = 1;
      std::uint64_t heads = 0;
      if (root_coins_ > 0) {
        heads = throw_all(std::exchange(root_coins_, 0), 0);
      } else if (m_ > kBlock) {
        heads = throw_all(m_, pending_ - 1);
      } else {
        if (block_coins_ == 0) begin_block();
        nodes = std::min(count, block_coins_ / m_);
        heads = take(m_ * nodes);
      }
      pending_ += heads - nodes;
      children += heads;
      count -= nodes;
    }
    return children;
  }

  void begin_block() const {
    const std::uint64_t nodes = std::min(pending_, kBlock / m_);
    block_coins_ = m_ * nodes;
    if (!throw_certain_head(block_coins_, pending_ - nodes)) {
      block_ = toss(block_coins_);
      return;
    }
    const std::uint64_t others = toss(block_coins_ - 1);
    const std::uint64_t at = variates_.below(static_cast<std::uint32_t>(block_coins_));
    const std::uint64_t before = others & first(at);
    block_ = before | (std::uint64_t{1} << at) | ((others - before) << 1U);
  }

  // Heads among the next n coins of the block.
  std::uint64_t take(std::uint64_t n) const {
    const std::uint64_t heads = ones(block_ & first(n));
    block_ = n == kBlock ? 0 : block_ >> n;
    block_coins_ -= n;
    return heads;
  }

  // Heads among n coins, of one node.
  std::uint64_t throw_all(std::uint64_t n, std::uint64_t rest) const {
    std::uint64_t heads = throw_certain_head(n, rest) ? 1 : 0;
    std::uint64_t left = n - heads;
    while (left > 0) {
      const std::uint64_t coins = std::min(left, kBlock);
      heads += ones(toss(coins));
      left -= coins;
    }
    return heads;
  }

  // The weight of n coins is proportional to `rest` more than there are heads. For its sake one of
  // them may be a head for certain, which is thrown then.
  bool throw_certain_head(std::uint64_t n, std::uint64_t rest) const {
    const auto rest_of_weight = static_cast<double>(rest);
    const double mean =
        static_cast<double>(n) * static_cast<double>(heads_) / static_cast<double>(coins_);
    if (heads_ == 0 || variates_.uniform() * (rest_of_weight + mean) < rest_of_weight) return false;
    --heads_;
    --coins_;
    return true;
  }

  // The next n coins without a weight, heads as bits that are set.
  std::uint64_t toss(std::uint64_t n) const {
    std::uint64_t bits = 0;
    if (coins_ > kFewCoins && std::min(heads_, coins_ - heads_) >= n) {
      bits = variates_.bits(static_cast<double>(heads_) / static_cast<double>(coins_)) & first(n);
      coins_ -= n;
      heads_ -= ones(bits);
      return bits;
    }
    for (std::uint64_t i = 0; i < n; ++i, --coins_) {
      if (!variates_.chance(static_cast<double>(heads_) / static_cast<double>(coins_))) continue;
      bits |= std::uint64_t{1} << i;
      --heads_;
    }
    return bits;
  }

  static std::uint64_t ones(std::uint64_t bits) {
    return static_cast<std::uint64_t>(std::popcount(bits));
  }
  // The first n <= kBlock bits.
  static std::uint64_t first(std::uint64_t n) {
    return n == kBlock ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
  }

  std::uint64_t m_;
  mutable Variates variates_;
  mutable std::uint64_t pending_ = 1;      // nodes in all bags together
  mutable std::uint64_t root_coins_ = 0;   // until it is expanded
  mutable std::uint64_t block_ = 0;        // that was begun: the coins that are left of it
  mutable std::uint64_t block_coins_ = 0;  // how many
  // Not yet thrown: coins, heads among those.
  mutable std::uint64_t coins_ = 0;
  mutable std::uint64_t heads_ = 0;
};

}  // namespace apps
