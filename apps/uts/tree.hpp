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
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

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

inline constexpr std::uint32_t kMaxChildren = 100;
inline constexpr std::uint32_t kRandomRange = 1U << 31U;

// The geometric law as the reference program computes it, with two logarithms of doubles:
// the definition to which the tables below are held. log_failure is log(1 - p), where p is the
// chance that there is no further child. Where the reference's conversion to int yields what is
// not positive (NaN and everything out of range, on x86), the node is a leaf.
[[nodiscard]] std::uint32_t geometric_children(std::uint32_t random, double log_failure);

// The geometric law for one mean as a table of thresholds: a compare or two in place of the
// logarithms (1.3 ns in place of 12.5). Built from the definition by search, since the number
// of children does not fall when the random value grows.
class GeometricCounts {
 public:
  explicit GeometricCounts(double log_failure);

  [[nodiscard]] std::uint32_t operator()(std::uint32_t random) const {
    std::uint32_t children = guide_[random >> kGuideShift];
    while (random >= more_than_[children]) ++children;
    return children;
  }

  // The least random value with more than n children, n <= 100; UINT32_MAX if there is none.
  [[nodiscard]] std::uint32_t least_with_more_than(std::uint32_t n) const { return more_than_[n]; }

 private:
  static constexpr std::uint32_t kGuideShift = 23;

  std::array<std::uint32_t, kMaxChildren + 1> more_than_{};
  std::array<std::uint8_t, (kRandomRange >> kGuideShift)> guide_{};  // for the least of a bucket
};

// The number of children of each node of a tree. Immutable, for any number of threads.
class ChildLaw {
 public:
  // The law for the nodes of one depth. Valid as long as its ChildLaw.
  class Level {
   public:
    // Has the node any children? One compare.
    [[nodiscard]] bool is_inner(std::uint32_t random) const {
      return random - inner_from_ < inner_values_;
    }
    [[nodiscard]] std::uint32_t children(std::uint32_t random) const {
      if (counts_ != nullptr) return (*counts_)(random);
      if (!is_inner(random)) return 0;
      return by_formula_ ? geometric_children(random, log_failure_) : certain_;
    }

   private:
    friend class ChildLaw;
    std::uint32_t inner_from_ = 0;  // the random values that mean children, as a range
    std::uint32_t inner_values_ = 0;
    const GeometricCounts* counts_ = nullptr;  // geometric; otherwise:
    std::uint32_t certain_ = 0;                // so many children, if any
    bool by_formula_ = false;                  // or geometric, too deep for a table
    double log_failure_ = 0;
  };

  // The parameters must be valid.
  explicit ChildLaw(const TreeParameters& parameters);
  ChildLaw(const ChildLaw&) = delete;
  ChildLaw& operator=(const ChildLaw&) = delete;

  [[nodiscard]] Level level(std::int32_t depth) const {
    const auto index = static_cast<std::size_t>(depth);
    if (index < levels_.size()) return levels_[index];
    return settled_ ? levels_.back() : make_level(depth, nullptr);
  }

  // random: see random_bits().
  [[nodiscard]] std::uint32_t operator()(std::uint32_t random, std::int32_t depth) const {
    return level(depth).children(random);
  }

 private:
  [[nodiscard]] bool is_geometric(std::int32_t depth) const;
  [[nodiscard]] double log_failure(std::int32_t depth) const;
  [[nodiscard]] Level make_level(std::int32_t depth, const GeometricCounts* counts) const;

  TreeParameters parameters_;
  std::vector<std::unique_ptr<GeometricCounts>> tables_;  // depths of one mean share one
  std::vector<Level> levels_;
  bool settled_ = false;  // from the last level on the law is the same
};

}  // namespace apps
