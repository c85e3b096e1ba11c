// The trees of UTS: their parameters, and the law that says how many children a node has.
//
// A tree is never stored. How many children a node has follows from 31 random bits of its
// state and from its depth alone, so whoever holds a node can grow what hangs below it. The
// laws are those of the reference program, bit for bit, on odd parameters too:
//
//   binomial   the root has floor(b) children, every other node m with probability q
//   geometric  geometrically distributed around a mean that depends on the depth; see Shape
//   hybrid     geometric at depths below f*d, binomial from there on, the root not excepted
//   balanced   floor(b) children at depths below d
//
// No node has more than 100 children, but for binomial roots and balanced trees.
//
// Source: Olivier et al., LCPC 2006, 10.1007/978-3-540-72521-3_18; the odd cases from the
// behaviour of the reference program.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace apps {

// The numbers are those of the reference program's option -t.
enum class TreeType : std::uint8_t { binomial, geometric, hybrid, balanced };

// Mean number of children at depth i > 0 in geometric trees; at the root it is b.
// The numbers are those of the reference program's option -a.
enum class Shape : std::uint8_t {
  linear,       // b (1 - i/d)
  exponential,  // b i^(-log b / log d): falls to 1 at depth d. With b < 1 it rises instead, so
                // that such a tree, should it not die out early, never ends
  cyclic,       // b^sin(2 pi i/d) down to depth 5d
  fixed         // b above depth d
};

// Defaults are the reference program's; its option stands beside each.
struct TreeParameters {
  TreeType type = TreeType::geometric;  // -t
  double b0 = 4;                        // -b  b, branching factor of the root
  std::int32_t seed = 0;                // -r
  Shape shape = Shape::linear;          // -a
  std::int32_t depth = 6;               // -d
  double q = 15.0 / 64;                 // -q  binomial: probability of having children
  std::int32_t m = 4;                   // -m  binomial: how many then
  double shift_depth = 0.5;             // -f  hybrid: geometric for this fraction of d
  std::int32_t granularity = 1;         // -g  times that each hash is computed

  // Throws std::invalid_argument that names the value and what is allowed.
  void validate() const;

  // Throws std::invalid_argument if the tree need not end: m*q >= 1 where the binomial law
  // rules, or a branching factor above 1 at all depths. Not part of validate(): with luck such a
  // tree ends all the same, and the well-known T3L is one (m*q = 1.00007).
  void require_finite() const;

  bool operator==(const TreeParameters&) const = default;
};

// The number of children of each node of a tree. Immutable, for any number of threads.
class ChildLaw {
 public:
  // The parameters must be valid.
  explicit ChildLaw(const TreeParameters& parameters);

  // random: see random_bits().
  [[nodiscard]] std::uint32_t operator()(std::uint32_t random, std::int32_t depth) const {
    if (depth < certain_below_) return certain_;
    if (depth < geometric_below_) return geometric(random, depth);
    return random < threshold_ ? m_ : 0;
  }

 private:
  static constexpr std::uint32_t kMaxChildren = 100;
  // Depths for which log(1 - p) is kept; one logarithm a node is then enough.
  static constexpr std::size_t kKept = 1024;

  // Inverse of the cumulative distribution, in doubles as the reference program has it. It
  // converts to int, where on x86 NaN and everything out of range becomes the smallest int, and
  // takes what is not positive for a leaf.
  [[nodiscard]] std::uint32_t geometric(std::uint32_t random, std::int32_t depth) const {
    const auto index = static_cast<std::size_t>(depth);
    const double log_of_p = index < kKept ? log_failure_[index] : log_failure(depth);
    const double children = std::log(1 - random / kRandomRange) / log_of_p;
    if (!(children >= 1 && children < kRandomRange)) return 0;
    return children < kMaxChildren ? static_cast<std::uint32_t>(children) : kMaxChildren;
  }

  [[nodiscard]] double log_failure(std::int32_t depth) const;

  static constexpr double kRandomRange = 2147483648.0;  // 2^31

  TreeParameters parameters_;
  std::int32_t certain_below_ = 0;  // at these depths the number of children is certain:
  std::uint32_t certain_ = 0;
  double geometric_below_ = 0;   // at these the law is geometric, further down binomial
  std::uint32_t threshold_ = 0;  // random / 2^31 < q just when random < threshold_
  std::uint32_t m_ = 0;
  std::array<double, kKept> log_failure_{};
};

}  // namespace apps
