// The trees of UTS that have names, and what a right traversal of each counts.
//
// T1 to T5, L, XL and XXL: the sample trees published with UTS (Olivier et al., LCPC 2006,
// 10.1007/978-3-540-72521-3_18). WL: the trees of 157 to 296 billion nodes. paper-*: the trees of
// Saraswat et al., Lifeline-based Global Load Balancing, PPoPP 2011, 10.1145/1941553.1941582,
// Table 1.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apps/uts/tree.hpp"

namespace apps {

struct KnownTree {
  std::string_view name;
  TreeParameters parameters;
  std::uint64_t nodes;
  std::optional<std::uint64_t> leaves;  // nothing where it was never published
  std::optional<std::int32_t> depth;
};

namespace detail {

constexpr TreeParameters binomial(double b0, double q, std::int32_t m, std::int32_t seed) {
  return {.type = TreeType::binomial, .b0 = b0, .seed = seed, .q = q, .m = m};
}

constexpr TreeParameters geometric(Shape shape, std::int32_t depth, double b0, std::int32_t seed) {
  return {.type = TreeType::geometric, .b0 = b0, .seed = seed, .shape = shape, .depth = depth};
}

}  // namespace detail

inline constexpr std::array kKnownTrees{
    KnownTree{"T1", detail::geometric(Shape::fixed, 10, 4, 19), 4130071, 3305118, 10},
    KnownTree{"T2", detail::geometric(Shape::cyclic, 16, 6, 502), 4117769, 2342762, 81},
    KnownTree{"T3", detail::binomial(2000, 0.124875, 8, 42), 4112897, 3599034, 1572},
    KnownTree{
        "T4", {.type = TreeType::hybrid, .b0 = 6, .seed = 1, .depth = 16}, 4132453, 3108986, 134},
    KnownTree{"T5", detail::geometric(Shape::linear, 20, 4, 34), 4147582, 2181318, 20},
    KnownTree{"T1L", detail::geometric(Shape::fixed, 13, 4, 29), 102181082, 81746377, 13},
    KnownTree{"T2L", detail::geometric(Shape::cyclic, 23, 7, 220), 96793510, 53791152, 67},
    KnownTree{"T3L", detail::binomial(2000, 0.200014, 5, 7), 111345631, 89076904, 17844},
    KnownTree{"T1XL", detail::geometric(Shape::fixed, 15, 4, 29), 1635119272, 1308100063, 15},
    KnownTree{"T1XXL", detail::geometric(Shape::fixed, 15, 4, 19), 4230646601, {}, 15},
    KnownTree{"T3XXL", detail::binomial(2000, 0.499995, 2, 316), 2793220501, {}, {}},
    KnownTree{"T2XXL", detail::binomial(2000, 0.499999995, 2, 0), 10612052303, 5306027151, 216370},
    KnownTree{"T1WL", detail::geometric(Shape::fixed, 18, 4, 19), 270751679750, 216601257283, 18},
    KnownTree{"T2WL", detail::binomial(2000, 0.4999999995, 2, 559), 295393891003, 147696946501,
              1021239},
    KnownTree{"T3WL", detail::binomial(2000, 0.4999995, 2, 559), 157063495159, 78531748579, 758577},
    KnownTree{"paper-binomial", detail::binomial(2000, 0.49995, 2, 559), 57354859, 28678429, 19532},
    KnownTree{"paper-binomial-small", detail::binomial(2000, 0.4995, 2, 559), 2859057, 1430528,
              1933},
    KnownTree{"paper-binomial-m6", detail::binomial(20000, 0.166666665, 6, 42), 510010053,
              425011710, 17633},
    KnownTree{"paper-geometric", detail::geometric(Shape::fixed, 10, 4, 0), 6700654, 5358786, 10},
};

// Upper and lower case are the same; nullptr if there is no such tree.
[[nodiscard]] inline const KnownTree* find_known_tree(std::string_view name) {
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  const auto* const found = std::ranges::find_if(kKnownTrees, [&](const KnownTree& tree) {
    return std::ranges::equal(tree.name, name, same);
  });
  return found == kKnownTrees.end() ? nullptr : found;
}

// The known tree that has these parameters, by whatever name; nullptr if none has.
[[nodiscard]] inline const KnownTree* find_known_tree(TreeParameters parameters) {
  parameters.granularity = 1;  // which does not change the tree
  const auto* const found = std::ranges::find(kKnownTrees, parameters, &KnownTree::parameters);
  return found == kKnownTrees.end() ? nullptr : found;
}

// "T1, T2, ...", for messages.
[[nodiscard]] inline std::string known_tree_names() {
  std::string names;
  for (const KnownTree& tree : kKnownTrees) {
    if (!names.empty()) names += ", ";
    names += tree.name;
  }
  return names;
}

}  // namespace apps
