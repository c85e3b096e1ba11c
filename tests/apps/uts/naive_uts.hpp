// UTS straight from its definition: recursive, in doubles, with no table, no stack, no shared
// code. What apps/uts is compared with.
#pragma once

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "apps/uts/tree.hpp"
#include "apps/uts/uts.hpp"

namespace naive {

using Digest = std::array<unsigned char, 20>;

inline Digest sha1(const std::vector<unsigned char>& message) {
  Digest digest{};
  unsigned length = 0;
  if (EVP_Digest(message.data(), message.size(), digest.data(), &length, EVP_sha1(), nullptr) !=
          1 ||
      length != digest.size()) {
    throw std::runtime_error("EVP_Digest failed");
  }
  return digest;
}

inline void append_big_endian(std::vector<unsigned char>& message, std::uint32_t word) {
  for (const int shift : {24, 16, 8, 0}) {
    message.push_back(static_cast<unsigned char>(word >> shift));
  }
}

inline Digest root_digest(std::uint32_t seed) {
  std::vector<unsigned char> message(16, 0);
  append_big_endian(message, seed);
  return sha1(message);
}

inline Digest child_digest(const Digest& parent, std::uint32_t index) {
  std::vector<unsigned char> message(parent.begin(), parent.end());
  append_big_endian(message, index);
  return sha1(message);
}

inline std::uint32_t last_word(const Digest& digest) {
  std::uint32_t word = 0;
  for (std::size_t i = 16; i < 20; ++i) word = word << 8 | digest[i];
  return word;
}

// The conversion of x86: what does not fit becomes the smallest int.
inline int to_int(double value) {
  return value > -2147483649.0 && value < 2147483648.0 ? static_cast<int>(value) : INT_MIN;
}

// The mean number of children of a geometric node.
inline double mean(const apps::TreeParameters& p, int depth) {
  const double d = p.depth;
  if (depth == 0) return p.b0;
  switch (p.shape) {
    case apps::Shape::linear:
      return p.b0 * (1.0 - depth / d);
    case apps::Shape::exponential:
      return p.b0 * std::pow(static_cast<double>(depth), -std::log(p.b0) / std::log(d));
    case apps::Shape::cyclic:
      return depth > 5 * p.depth ? 0.0
                                 : std::pow(p.b0, std::sin(2.0 * 3.141592653589793 * depth / d));
    default:
      return depth < p.depth ? p.b0 : 0.0;
  }
}

// log_u and log_failure: the logarithms of 1 - u and of 1 - 1/(1 + mean).
inline int geometric(double log_u, double log_failure) {
  return std::clamp(to_int(std::floor(log_u / log_failure)), 0, 100);
}

inline double log_failure(double mean) {
  const double success = 1.0 / (1.0 + mean);
  return std::log(1 - success);
}

inline int geometric(const apps::TreeParameters& p, double u, int depth) {
  return geometric(std::log(1 - u), log_failure(mean(p, depth)));
}

inline int children(const apps::TreeParameters& p, std::uint32_t random, int depth) {
  const double u = static_cast<double>(random) / 2147483648.0;
  const int binomial = u < p.q ? p.m : 0;
  int count = 0;
  switch (p.type) {
    case apps::TreeType::binomial:
      if (depth == 0) return to_int(std::floor(p.b0));
      count = binomial;
      break;
    case apps::TreeType::geometric:
      count = geometric(p, u, depth);
      break;
    case apps::TreeType::hybrid:
      count = depth < p.shift_depth * p.depth ? geometric(p, u, depth) : binomial;
      break;
    case apps::TreeType::balanced:
      return depth < p.depth ? to_int(p.b0) : 0;
  }
  return std::clamp(count, 0, 100);
}

struct TooLarge {};

inline void visit(const apps::TreeParameters& p, const Digest& digest, int depth,
                  apps::UtsResult& result) {
  if (result.nodes == 5'000) throw TooLarge{};
  ++result.nodes;
  result.depth = std::max(result.depth, depth);
  const int count = children(p, last_word(digest) & 0x7fffffffU, depth);
  if (count == 0) ++result.leaves;
  for (int i = 0; i < count; ++i) {
    visit(p, child_digest(digest, static_cast<std::uint32_t>(i)), depth + 1, result);
  }
}

// Throws TooLarge beyond 5,000 nodes.
inline apps::UtsResult count(const apps::TreeParameters& p) {
  apps::UtsResult result;
  visit(p, root_digest(static_cast<std::uint32_t>(p.seed)), 0, result);
  return result;
}

// Valid parameters that are often odd: zero, fractional and large branching, depth 0 and 1, no
// or more than 100 children, a change of law at, above and below all depths.
inline apps::TreeParameters random_parameters(std::mt19937& random) {
  const auto one_of = [&random](const std::vector<double>& values) {
    return values[random() % values.size()];
  };
  apps::TreeParameters p;
  p.type = static_cast<apps::TreeType>(random() % 4);
  p.shape = static_cast<apps::Shape>(random() % 4);
  p.b0 = one_of({0, 0.3, 0.99, 1, 1.5, 2, 2.7, 4, 6.5, 120, 250.9, 1e6});
  p.depth = static_cast<std::int32_t>(one_of({0, 1, 2, 3, 4, 6}));
  p.seed = static_cast<std::int32_t>(random() & 0x7fffffffU);
  p.q = one_of({0, 0.01, 0.1, 0.2, 15.0 / 64, 0.49, 1});
  p.m = static_cast<std::int32_t>(one_of({0, 1, 2, 3, 4, 101, 1000}));
  p.shift_depth = one_of({0, 0.1, 0.5, 0.77, 1, 1.5, 9});
  return p;
}

}  // namespace naive
