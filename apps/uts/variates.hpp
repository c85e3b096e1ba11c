// Many random numbers drawn as one, their sum or a bit of each, for bags that are drawn by law.
//
// Few terms of a sum are drawn one by one, many by Boost's rejection methods, which are exact up to
// the rounding of doubles: for a binomial number of 100 it takes 90 ns, the standard library's 480.
#pragma once

#include <boost/random/binomial_distribution.hpp>
#include <boost/random/poisson_distribution.hpp>
#include <cstdint>
#include <limits>
#include <random>

#include "belay/core/rng.hpp"

namespace apps {

// A belay::Rng as distributions want it.
class Variates {
 public:
  using result_type = std::uint64_t;

  explicit Variates(std::uint64_t seed) : rng_(seed) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() { return rng_.next(); }

  // Uniform on [0, 1).
  double uniform() { return static_cast<double>(rng_.next() >> 11U) * 0x1p-53; }
  bool chance(double p) { return uniform() < p; }

  // How many of n throws succeed, each with chance p.
  std::uint64_t binomial(std::uint64_t n, double p) {
    if (n > kFew) {
      boost::random::binomial_distribution<std::int64_t> law(static_cast<std::int64_t>(n), p);
      return static_cast<std::uint64_t>(law(*this));
    }
    std::uint64_t successes = 0;
    for (std::uint64_t i = 0; i < n; ++i) successes += chance(p) ? 1 : 0;
    return successes;
  }

  // Less than n > 0.
  std::uint32_t below(std::uint32_t n) { return rng_.below(n); }

  // 64 bits, each set with chance p < 1, independently: those of whose random number the binary
  // digits are below p's.
  std::uint64_t bits(double p) {
    std::uint64_t set = 0;
    for (std::uint64_t equal = max(); equal != 0 && p > 0;) {
      const std::uint64_t digits = rng_.next();
      p *= 2;
      if (p >= 1) {
        p -= 1;
        set |= equal & ~digits;
        equal &= digits;
      } else {
        equal &= ~digits;
      }
    }
    return set;
  }

  // How many throws fail before the n-th success, n > 0: a Poisson number whose mean is a gamma
  // number.
  std::uint64_t negative_binomial(std::uint64_t n, double p) {
    std::gamma_distribution<double> gamma(static_cast<double>(n), (1 - p) / p);
    const double mean = gamma(*this);
    if (!(mean > 0)) return 0;  // rounded
    boost::random::poisson_distribution<std::int64_t> law(mean);
    return static_cast<std::uint64_t>(law(*this));
  }

 private:
  static constexpr std::uint64_t kFew = 16;

  belay::Rng rng_;
};

}  // namespace apps
