// Lengths of tasks that follow a law. The length of the i-th task depends on the seed and on i
// alone, so that any rank can work any task off, and a sequential sum can check them all.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "belay/core/rng.hpp"

namespace apps {

enum class LengthLaw : std::uint8_t {
  constant,
  uniform,      // from 0 to twice the mean
  exponential,  // many short ones, few long ones
  pareto,       // very few, but very long ones: the more so, the nearer the shape is to 1
  bimodal       // two lengths: a share of long ones, and short ones
};

// What --lengths calls them.
inline const std::vector<std::pair<std::string, LengthLaw>> kLengthLawNames{
    {"constant", LengthLaw::constant},
    {"uniform", LengthLaw::uniform},
    {"exponential", LengthLaw::exponential},
    {"pareto", LengthLaw::pareto},
    {"bimodal", LengthLaw::bimodal}};

struct LengthParameters {
  LengthLaw law = LengthLaw::exponential;
  double mean_us = 100;
  double pareto_shape = 1.5;  // above 1; up to 2 the variance is infinite
  double long_share = 0.1;    // bimodal: of long tasks
  double long_ratio = 100;    // bimodal: of long to short
  std::uint64_t seed = 1;
};

class Lengths {
 public:
  explicit Lengths(const LengthParameters& parameters) : p_(parameters) {
    const double mean = p_.mean_us * 1000;
    switch (p_.law) {
      case LengthLaw::constant:
        unit_ = mean;
        break;
      case LengthLaw::uniform:
        unit_ = 2 * mean;
        break;
      case LengthLaw::exponential:
        unit_ = mean;
        break;
      case LengthLaw::pareto:
        unit_ = mean * (p_.pareto_shape - 1) / p_.pareto_shape;
        break;
      case LengthLaw::bimodal:
        unit_ = mean / (1 + p_.long_share * (p_.long_ratio - 1));
        break;
    }
  }

  // Of the index-th task, in ns.
  [[nodiscard]] std::uint64_t ns(std::uint64_t index) const {
    // 53 random bits: from 0 to below 1.
    const double random =
        std::ldexp(static_cast<double>(belay::Rng(p_.seed, index).next() >> 11U), -53);
    return static_cast<std::uint64_t>(std::llround(std::min(unit_ * times(random), kMaxNs)));
  }

 private:
  // An hour. Only laws without bounds come near it, with means of seconds or shapes near 1.
  static constexpr double kMaxNs = 3.6e12;

  [[nodiscard]] double times(double random) const {
    switch (p_.law) {
      case LengthLaw::constant:
        break;
      case LengthLaw::uniform:
        return random;
      case LengthLaw::exponential:
        return -std::log1p(-random);
      case LengthLaw::pareto:
        return std::pow(1 - random, -1 / p_.pareto_shape);
      case LengthLaw::bimodal:
        return random < p_.long_share ? p_.long_ratio : 1;
    }
    return 1;
  }

  LengthParameters p_;
  double unit_ = 0;  // in ns; what lengths are multiples of
};

}  // namespace apps
