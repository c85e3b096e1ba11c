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
// The hypergeometric law is drawn as a binomial one where mk is less than a 1024th of the coins
// that are left: the mean is right, the variance at most 0.1 % too large. Where there are fewer
// coins, one by one.
//
// Bags are drawn from one urn: all runs of a simulation are on one thread, and so is this problem.
#pragma once

#include <algorithm>
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
      const std::uint64_t count =
          quantum.take(is_begun ? bag.begun : std::min(bag.pending, most_at_once()));
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
      const std::uint64_t count = std::min({wanted - bag.begun, bag.pending, most_at_once()});
      bag.pending += expand(count) - count;
      bag.begun += count;
    }
    return std::min(bag.begun, wanted);
  }

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
  static constexpr std::uint64_t kFewCoins = 1U << 16U;
  static constexpr std::uint64_t kFraction = 1024;
  static constexpr std::uint64_t kMany = 64;

  [[nodiscard]] std::uint64_t most_at_once() const {
    return coins_ <= kFewCoins ? coins_ : std::max<std::uint64_t>(1, coins_ / kFraction / m_);
  }

  // Inner children of `count` pending nodes.
  std::uint64_t expand(std::uint64_t count) const {
    const std::uint64_t rest = pending_ - count;
    const std::uint64_t coins = root_coins_ > 0 ? std::exchange(root_coins_, 0) : m_ * count;
    const std::uint64_t children = throw_coins(coins, rest);
    pending_ = rest + children;
    return children;
  }

  // Heads among the next n coins, with a weight proportional to `rest` more than there are.
  std::uint64_t throw_coins(std::uint64_t n, std::uint64_t rest) const {
    if (heads_ == 0) {
      coins_ -= n;
      return 0;
    }
    const double mean =
        static_cast<double>(n) * static_cast<double>(heads_) / static_cast<double>(coins_);
    const bool biased =
        variates_.uniform() * (static_cast<double>(rest) + mean) >= static_cast<double>(rest);
    if (biased) {
      --heads_;
      --coins_;
      return 1 + heads_among(n - 1);
    }
    return heads_among(n);
  }

  // Without a weight.
  std::uint64_t heads_among(std::uint64_t n) const {
    std::uint64_t found = 0;
    if (coins_ > kFewCoins) {
      const double p = static_cast<double>(heads_) / static_cast<double>(coins_);
      const std::uint64_t tails = coins_ - heads_;
      found = std::clamp(variates_.binomial(n, p), n > tails ? n - tails : 0, std::min(n, heads_));
    } else {
      for (std::uint64_t i = 0; i < n; ++i) {
        const auto p = static_cast<double>(heads_ - found) / static_cast<double>(coins_ - i);
        found += variates_.chance(p) ? 1 : 0;
      }
    }
    coins_ -= n;
    heads_ -= found;
    return found;
  }

  std::uint64_t m_;
  mutable Variates variates_;
  // Of the whole tree: nodes pending in any bag, coins not yet thrown, heads among those.
  mutable std::uint64_t pending_ = 1;
  mutable std::uint64_t coins_ = 0;
  mutable std::uint64_t heads_ = 0;
  mutable std::uint64_t root_coins_ = 0;  // until it is expanded
};

}  // namespace apps
