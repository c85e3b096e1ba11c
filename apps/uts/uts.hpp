// UTS, the Unbalanced Tree Search: counts the nodes of a tree that is made up as one goes.
//
// A bag is a stack of nodes that have children; the search is depth-first. Every node is
// counted once: a leaf when its parent makes it, for it is not worth a place on the stack, an
// inner node when it is expanded. So a task is the expansion of one inner node, and it is the
// result that counts the nodes of the tree. The one leaf that can be on a stack is a root
// without children.
//
// Rejected: leaves on the stack too, which costs T3 a fifth of its speed and makes no clear
// difference on T1.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "apps/uts/sha1.hpp"
#include "apps/uts/tree.hpp"
#include "belay/core/errors.hpp"
#include "belay/core/packing.hpp"
#include "belay/core/quantum.hpp"
#include "belay/core/share.hpp"
#include "belay/core/task_problem.hpp"

namespace apps {

// 24 bytes. The number of children is not stored: it follows from both.
struct Node {
  State state{};
  std::int32_t depth = 0;

  bool operator==(const Node&) const = default;
};

struct UtsResult {
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;
  std::int32_t depth = 0;  // of the deepest node; the root's is 0

  bool operator==(const UtsResult&) const = default;
};

// A belay::Problem.
class UtsProblem {
 public:
  using Bag = std::vector<Node>;
  using Result = UtsResult;

  // Throws std::invalid_argument if the parameters are not valid, or the processor lacks what
  // the kernel needs.
  explicit UtsProblem(const TreeParameters& parameters, HashKernel kernel = HashKernel::automatic)
      : parameters_(valid(parameters)), law_(parameters), hash_(hash_children(kernel)) {}

  [[nodiscard]] Bag root_bag() const {
    return {Node{root_state(static_cast<std::uint32_t>(parameters_.seed)), 0}};
  }

  [[nodiscard]] Bag empty_bag() const { return {}; }
  [[nodiscard]] Result identity() const { return {}; }

  void process(Bag& bag, Result& result, belay::Quantum& quantum) const {
    Result counted = result;  // in registers: nobody else can see it
    while (!bag.empty() && quantum.take()) {
      const Node node = bag.back();
      bag.pop_back();
      expand(node, counted, [&bag](const Node& child) { bag.push_back(child); });
    }
    result = counted;
  }

  // One task: counts the node and the leaves among its children, and hands the inner ones to
  // push(const Node&).
  template <class Push>
  void expand(const Node& node, Result& result, Push&& push) const {
    const std::uint32_t count = law_.level(node.depth).children(random_bits(node.state));
    if (count == 0) {  // a root alone
      ++result.nodes;
      ++result.leaves;
      return;
    }
    BELAY_CHECK(node.depth < std::numeric_limits<std::int32_t>::max(), node.depth);
    const ChildLaw::Level below = law_.level(node.depth + 1);
    std::array<State, kSiblings> states;
    std::uint64_t leaves = 0;
    for (std::uint32_t first = 0; first < count; first += kSiblings) {
      const std::uint32_t siblings = std::min(kSiblings, count - first);
      // Granularity is work without use: the same hashes again and again.
      for (std::int32_t g = 0; g < parameters_.granularity; ++g) {
        hash_(node.state, first, siblings, states.data());
      }
      for (std::uint32_t i = 0; i < siblings; ++i) {
        if (below.is_inner(random_bits(states[i]))) {
          push(Node{states[i], node.depth + 1});
        } else {
          ++leaves;
        }
      }
    }
    result.nodes += 1 + leaves;
    result.leaves += leaves;
    result.depth = std::max(result.depth, node.depth + 1);
  }

  [[nodiscard]] Bag split(Bag& bag, belay::Share share) const {
    return belay::split_stack(bag, share);
  }

  void merge(Bag& into, Bag&& from) const {
    into.insert(into.end(), from.begin(), from.end());
    from.clear();
  }

  void pack(const Bag& bag, belay::Packer& packer) const {
    packer.put_all(std::span<const Node>(bag));
  }
  [[nodiscard]] Bag unpack(belay::Unpacker& unpacker) const { return unpacker.get_all<Node>(); }

  static void reduce(Result& into, Result&& from) {
    into.nodes += from.nodes;
    into.leaves += from.leaves;
    into.depth = std::max(into.depth, from.depth);
  }

 private:
  static const TreeParameters& valid(const TreeParameters& parameters) {
    parameters.validate();
    return parameters;
  }

  // So many siblings are hashed at a time, at most.
  static constexpr std::uint32_t kSiblings = 8;

  TreeParameters parameters_;
  ChildLaw law_;
  HashChildren hash_;
};

// What every traversal must count, on the calling thread alone.
[[nodiscard]] inline UtsResult count_sequentially(const UtsProblem& problem) {
  const std::atomic<bool> nobody_waits{false};
  UtsProblem::Bag bag = problem.root_bag();
  UtsResult result = problem.identity();
  while (!bag.empty()) {
    belay::Quantum quantum(nobody_waits, std::numeric_limits<std::uint32_t>::max());
    problem.process(bag, result, quantum);
  }
  return result;
}

}  // namespace apps
