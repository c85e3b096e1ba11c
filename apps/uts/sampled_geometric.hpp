// A geometric tree that is too large to traverse, by its law: a bag is a number of pending nodes
// for each depth, and what hangs below them is drawn when it is needed.
//
// The law of a tree of shape `fixed`: a node above depth d has C children, P(C = c) = p (1 - p)^c
// with p = 1 / (1 + b). Bags hold inner nodes, those with children, of which there are none at
// depth d. So an inner node that is not right above depth d has
//
//   J = Bernoulli(s) + G inner children, s = 1 - p, P(G = g) = r (1 - r)^g, r = p / (1 - s p),
//
// for the first of its children is there for certain, each is an inner node with chance s, and a
// thinned geometric number is a geometric one. n nodes have Binomial(n, s) plus a negative binomial
// number of n successes. No node here has its children cut at 100; it happens to one of
// 1 / (1 - p)^101, with b = 4 six in 10^9.
//
// How large such a tree is, is settled near its root. So at the top, down to the first depth with
// kReal inner nodes, the tree has the real one's numbers: each inner node takes its J from those of
// the real tree's nodes at its depth, in random order. In a branching process all such orders are
// equally likely, so this is the law, conditioned on what the top looks like. What is left to
// chance is the sum of the sizes of kReal equal subtrees and more: with b = 4 its deviation is
// below sqrt(0.8 / kReal) = 0.25 %.
//
// A subtree whose size is small, or small beside what its bag still holds, is drawn whole: it is a
// number of tasks, of which a thief gets half. Nodes are processed depth-first.
//
// Bags share the top of the tree and the random numbers: all runs of a simulation are on one
// thread, and so is this problem.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "apps/uts/alias_table.hpp"
#include "apps/uts/uts.hpp"
#include "apps/uts/variates.hpp"
#include "belay/core/errors.hpp"
#include "belay/core/packing.hpp"
#include "belay/core/quantum.hpp"
#include "belay/core/share.hpp"

namespace apps {

// A belay::Problem; a task is the expansion of one inner node, as in UtsProblem.
class SampledGeometric {
 public:
  static constexpr std::int32_t kMaxDepth = 26;

  // Inner nodes by depth; before any of them, tasks of subtrees that were drawn whole.
  struct Bag {
    std::uint64_t begun = 0;
    std::array<std::uint32_t, kMaxDepth> pending{};
    std::uint32_t nodes = 0;    // pending
    std::int32_t deepest = -1;  // no node is deeper
    double below = 0;           // tasks to be expected of the pending nodes and what is below

    [[nodiscard]] std::uint64_t size() const noexcept { return begun + nodes; }
  };
  using Result = std::uint64_t;  // tasks

  // Throws std::invalid_argument if the tree is no geometric one of shape `fixed`.
  SampledGeometric(const TreeParameters& tree, std::uint64_t seed)
      : depth_(tree.depth),
        inner_(tree.b0 / (1 + tree.b0)),
        further_((1 - inner_) / (1 - inner_ * (1 - inner_))),
        variates_(seed) {
    if (tree.type != TreeType::geometric || tree.shape != Shape::fixed || depth_ < 1 ||
        depth_ > kMaxDepth || tree.b0 < 1 || tree.b0 > 50) {
      throw std::invalid_argument(
          "only a geometric tree of shape fixed can be sampled, of depth 1 to " +
          std::to_string(kMaxDepth) + " and with b from 1 to 50");
    }
    const double mean = inner_ + (1 - further_) / further_;
    for (std::size_t height = 1; height < tasks_below_.size(); ++height) {
      tasks_below_[height] = 1 + mean * tasks_below_[height - 1];
    }
    make_children();
    make_tables();
    look_at_top(tree);
  }

  [[nodiscard]] Bag root_bag() const {
    Bag bag;
    put(bag, 0, 1);
    return bag;
  }
  [[nodiscard]] Bag empty_bag() const { return {}; }
  [[nodiscard]] Result identity() const { return 0; }

  void process(Bag& bag, Result& tasks, belay::Quantum& quantum) const {
    while (bag.size() > 0) {
      if (bag.begun == 0) begin_next(bag, 1);
      const std::uint64_t count = quantum.take(bag.begun);
      if (count == 0) return;
      bag.begun -= count;
      tasks += count;
    }
  }

  // How many tasks, up to `wanted`, the bag has for certain: begins as many as that takes.
  std::uint64_t foresee(Bag& bag, std::uint64_t wanted) const {
    while (bag.begun < wanted && bag.nodes > 0) begin_next(bag, wanted - bag.begun);
    return std::min(bag.begun, wanted);
  }

  [[nodiscard]] std::uint64_t tasks_held(const Bag& bag) const { return bag.nodes; }

  [[nodiscard]] double expected_tasks(const Bag& bag) const {
    return static_cast<double>(bag.begun) + bag.below;
  }

  // A subtree that was drawn whole would be a stack, which grows with its height.
  [[nodiscard]] std::uint64_t likely_size(const Bag& bag) const {
    return bag.nodes + static_cast<std::uint64_t>(std::bit_width(bag.begun));
  }

  // Every other node, from the root's side, or, if that is not enough, the first ones. Half of
  // the begun tasks go with every other node, as they would not be begun without foresight.
  [[nodiscard]] Bag split(Bag& bag, belay::Share share) const {
    std::uint64_t wanted = share.of(bag.nodes + (bag.begun > 0 ? 1U : 0U));
    Bag part;
    const bool every_other = 2 * wanted <= bag.nodes + 1;
    bool take_odd = true;
    for (std::int32_t depth = 0; depth <= bag.deepest && wanted > 0; ++depth) {
      const std::uint32_t here = bag.pending[at(depth)];
      if (here == 0) continue;
      const std::uint64_t fair = every_other ? (here + (take_odd ? 1U : 0U)) / 2 : here;
      const auto count = static_cast<std::uint32_t>(std::min(fair, wanted));
      if (here % 2 == 1) take_odd = !take_odd;
      put(part, depth, count);
      remove(bag, depth, count);
      wanted -= count;
    }
    if (share.is_half()) {
      part.begun = bag.begun / 2;
      bag.begun -= part.begun;
    }
    return part;
  }

  void merge(Bag& into, Bag&& from) const {
    into.begun += from.begun;
    for (std::int32_t depth = 0; depth <= from.deepest; ++depth) {
      put(into, depth, from.pending[at(depth)]);
    }
  }
  static void reduce(Result& into, Result&& from) { into += from; }

 private:
  static constexpr std::size_t kReal = 1U << 17U;
  static constexpr std::int32_t kTables = 4;
  static constexpr double kTabled = 100;    // tasks: the time for a table is their cube
  static constexpr double kCutOff = 1e-12;  // chances of so much together are left out
  static constexpr std::uint64_t kFew = 8;
  static constexpr double kWhole = 8;  // of what a bag holds, a whole subtree is this part at most
  static constexpr double kLeast = 100;  // or it is expected to be as small as that, in tasks

  [[nodiscard]] static std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
  }

  [[nodiscard]] bool is_real(std::int32_t depth) const { return at(depth) < top_.size(); }

  void put(Bag& bag, std::int32_t depth, std::uint32_t count) const {
    if (count == 0) return;
    bag.pending[at(depth)] += count;
    bag.nodes += count;
    bag.deepest = std::max(bag.deepest, depth);
    bag.below += count * tasks_below_[at(depth_ - depth)];
  }
  void remove(Bag& bag, std::int32_t depth, std::uint32_t count) const {
    bag.pending[at(depth)] -= count;
    bag.nodes -= count;
    bag.below -= count * tasks_below_[at(depth_ - depth)];
  }

  // Begins the deepest node: expands it; or draws what is below it whole, and below others of its
  // depth until these are `wanted` tasks.
  void begin_next(Bag& bag, std::uint64_t wanted) const {
    while (bag.pending[at(bag.deepest)] == 0) --bag.deepest;
    const std::int32_t depth = bag.deepest;
    const std::int32_t height = depth_ - depth;
    std::uint64_t tasks = 1;
    const double others = bag.below - tasks_below_[at(height)];
    const double most = std::max(kLeast, std::min(static_cast<double>(wanted), others / kWhole));
    if (is_real(depth) || tasks_below_[at(height)] > most) {
      remove(bag, depth, 1);
      if (height > 1) put(bag, depth + 1, inner_children_at(depth));
    } else {
      tasks = whole(height);
      std::uint32_t nodes = 1;
      for (; tasks < wanted && nodes < bag.pending[at(depth)]; ++nodes) tasks += whole(height);
      remove(bag, depth, nodes);
    }
    bag.begun += tasks;
  }

  // Tasks of a subtree whose root is an inner node so far above depth d.
  std::uint64_t whole(std::int32_t height) const {
    std::uint64_t tasks = 0;
    std::uint64_t nodes = 1;
    for (; nodes > 0 && (height > tables_ || (nodes > kFew && height > 1)); --height) {
      tasks += nodes;
      nodes = inner_children(nodes);
    }
    if (height == 1) return tasks + nodes;
    for (std::uint64_t i = 0; i < nodes; ++i) tasks += small_[at(height)](variates_());
    return tasks;
  }

  // Of one node.
  std::uint32_t inner_children_at(std::int32_t depth) const {
    if (is_real(depth)) {
      auto& numbers = top_[at(depth)];
      BELAY_CHECK(!numbers.empty(), depth);
      const std::uint32_t number = numbers.back();
      numbers.pop_back();
      return number;
    }
    return static_cast<std::uint32_t>(inner_children(1));
  }

  // Of n nodes together, none right above depth d.
  std::uint64_t inner_children(std::uint64_t nodes) const {
    if (nodes > kFew) {
      return variates_.binomial(nodes, inner_) + variates_.negative_binomial(nodes, further_);
    }
    std::uint64_t children = 0;
    for (std::uint64_t i = 0; i < nodes; ++i) children += children_(variates_());
    return children;
  }

  // The law of J.
  void make_children() {
    std::vector<double> chances;
    double before = 0;         // G's of one less
    double chance = further_;  // G's of this number
    for (double left = 1; left > kCutOff; left -= chances.back()) {
      chances.push_back(inner_ * before + (1 - inner_) * chance);
      before = std::exchange(chance, chance * (1 - further_));
    }
    children_ = AliasTable(std::move(chances));
  }

  // The laws of the sizes of low and small subtrees, each from the one below it. With f the chances
  // of a size and h those of the sum of G such sizes, h = r + (1 - r) f * h, as G is 0 or one more
  // than another G; and the size of a higher one is 1 plus that of J.
  void make_tables() {
    std::vector<double> size{0, 1};  // of height 1
    for (std::int32_t height = 2; height <= kTables && tasks_below_[at(height)] <= kTabled;
         ++height) {
      std::vector<double> sum;
      double left = 1;
      while (left > kCutOff) {
        const std::size_t n = sum.size();
        double chance = n == 0 ? further_ : 0;
        for (std::size_t i = 1; i < size.size() && i <= n; ++i) {
          chance += (1 - further_) * size[i] * sum[n - i];
        }
        sum.push_back(chance);
        left -= chance;
      }
      std::vector<double> higher(sum.size() + size.size());
      for (std::size_t n = 0; n < sum.size(); ++n) {
        higher[n + 1] += (1 - inner_) * sum[n];
        for (std::size_t i = 1; i < size.size(); ++i) {
          if (n + i + 1 < higher.size()) higher[n + i + 1] += inner_ * size[i] * sum[n];
        }
      }
      // What is cut off, and rounding, must not add up from height to height.
      const double total = std::accumulate(higher.begin(), higher.end(), 0.0);
      for (double& chance : higher) chance /= total;
      size = std::move(higher);
      small_[at(height)] = AliasTable(size);
      tables_ = height;
    }
  }

  // What the real tree looks like, as far as it is small.
  void look_at_top(const TreeParameters& tree) {
    const UtsProblem real(tree);
    std::vector<Node> level = real.root_bag();
    UtsResult counted;
    while (!level.empty() && level.size() < kReal && level.front().depth < depth_ - 1) {
      std::vector<Node> next;
      std::vector<std::uint8_t> numbers;
      for (const Node& node : level) {
        const std::size_t before = next.size();
        real.expand(node, counted, [&next](const Node& child) { next.push_back(child); });
        numbers.push_back(static_cast<std::uint8_t>(next.size() - before));
      }
      for (std::size_t i = numbers.size(); i > 1; --i) {
        std::swap(numbers[i - 1], numbers[variates_() % i]);
      }
      top_.push_back(std::move(numbers));
      level = std::move(next);
    }
  }

  std::int32_t depth_;
  double inner_;                                     // s
  double further_;                                   // r
  AliasTable children_;                              // inner ones of one node
  std::array<double, kMaxDepth + 1> tasks_below_{};  // expected, by height
  mutable Variates variates_;
  std::int32_t tables_ = 1;                    // up to this height
  std::array<AliasTable, kTables + 1> small_;  // by height
  mutable std::vector<std::vector<std::uint8_t>> top_;
};

}  // namespace apps
