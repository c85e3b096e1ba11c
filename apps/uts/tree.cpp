#include "apps/uts/tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

namespace apps {

namespace {

// Divisions by zero and logarithms of zero are part of the definition.
static_assert(std::numeric_limits<double>::is_iec559);

constexpr std::int64_t kMaxInt = std::numeric_limits<std::int32_t>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Value>
void require(bool allowed, const char* name, Value value, const std::string& what_is_allowed) {
  if (allowed) return;
  std::ostringstream text;
  text.precision(12);
  text << name << " = " << value << ", allowed: " << what_is_allowed;
  throw std::invalid_argument(text.str());
}

// NaN is in no range.
template <class Value>
void require_range(const char* name, Value value, Value low, Value high) {
  std::ostringstream range;
  range.precision(12);
  range << low << " to " << high;
  require(value >= low && value <= high, name, value, range.str());
}

// Has a balanced tree at most 2^63 nodes?
bool countable(std::uint64_t children, std::int32_t depth) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 63U;
  if (children < 2) return true;
  std::uint64_t nodes = 1;
  for (std::int32_t i = 0; i < depth; ++i) {  // at most 63 times
    if (nodes > (kMost - 1) / children) return false;
    nodes = nodes * children + 1;
  }
  return true;
}

bool has_geometric_nodes(const TreeParameters& p) {
  return p.type == TreeType::geometric || p.type == TreeType::hybrid;
}

// Random numbers have 31 bits: those below this one are the fraction q, rounded up.
std::uint32_t binomial_threshold(double q) {
  return static_cast<std::uint32_t>(std::ceil(q * 2147483648.0));
}

double geometric_depths(const TreeParameters& p) {
  if (p.type == TreeType::geometric) return kInfinity;
  return p.type == TreeType::hybrid ? p.shift_depth * p.depth : 0;
}

// The greatest depth that nodes can have if all follow the geometric law.
double deepest_geometric_node(const TreeParameters& p) {
  if (p.b0 == 0) return 0;
  if (p.shape == Shape::exponential) return kInfinity;
  return p.shape == Shape::cyclic ? 5.0 * p.depth + 1 : std::max(p.depth, 1);
}

bool has_binomial_nodes(const TreeParameters& p) {
  switch (p.type) {
    case TreeType::binomial:
      return p.b0 >= 1;
    case TreeType::hybrid:
      return geometric_depths(p) <= deepest_geometric_node(p);
    default:
      return false;
  }
}

// The mean number of children in a geometric tree, before chance and the cap.
double mean_children(const TreeParameters& p, std::int32_t depth) {
  constexpr double kPi = 3.141592653589793;
  if (depth == 0) return p.b0;
  const double i = depth;
  const double d = p.depth;
  switch (p.shape) {
    case Shape::exponential:
      return p.b0 * std::pow(i, -std::log(p.b0) / std::log(d));
    case Shape::cyclic:
      return i > 5 * d ? 0 : std::pow(p.b0, std::sin(2.0 * kPi * i / d));
    case Shape::fixed:
      return i < d ? p.b0 : 0;
    default:
      return p.b0 * (1.0 - i / d);
  }
}

}  // namespace

void TreeParameters::validate() const {
  require(type <= TreeType::balanced, "type", static_cast<int>(type), "0 to 3");
  require(shape <= Shape::fixed, "shape", static_cast<int>(shape), "0 to 3");
  // What is cast to an int must fit: b itself, or about 21.5 b as the largest geometric number.
  require_range("b", b0, 0.0, has_geometric_nodes(*this) ? 1e7 : static_cast<double>(kMaxInt));
  require_range<std::int64_t>("r", seed, 0, kMaxInt);
  require_range<std::int64_t>("d", depth, 0, (kMaxInt - 1) / 5);  // cyclic: 5d + 1 levels
  require_range("q", q, 0.0, 1.0);
  require_range<std::int64_t>("m", m, 0, kMaxInt);
  require_range("f", shift_depth, 0.0, 1e9);
  require_range<std::int64_t>("g", granularity, 1, kMaxInt);
  if (type == TreeType::balanced) {
    require(countable(static_cast<std::uint64_t>(b0), depth), "d", depth,
            "as long as a balanced tree has at most 2^63 nodes");
  }
}

void TreeParameters::require_finite() const {
  const std::int64_t children = std::int64_t{m} * binomial_threshold(q);  // in units of 2^-31
  require(children < kMaxInt + 1 || !has_binomial_nodes(*this), "m*q", m * q,
          "less than 1, with q rounded up to a multiple of 2^-31; this tree need not end");
  const bool level =
      type == TreeType::geometric && shape == Shape::exponential && depth == 0 && b0 > 1;
  require(!level, "b", b0, "0 to 1 with shape exponential and d = 0; this tree need not end");
}

std::uint32_t geometric_children(std::uint32_t random, double log_failure) {
  const double children = std::log(1 - static_cast<double>(random) / kRandomRange) / log_failure;
  if (!(children >= 1 && children < kRandomRange)) return 0;
  return children < kMaxChildren ? static_cast<std::uint32_t>(children) : kMaxChildren;
}

namespace {

// The least random value with more than n children, or kRandomRange. The inverse of the law
// gives a first guess, which rounding puts off by a few.
std::uint32_t least_random_with_more_than(std::uint32_t n, double log_failure) {
  const auto more = [=](std::int64_t random) {
    return geometric_children(static_cast<std::uint32_t>(random), log_failure) > n;
  };
  const double guess = kRandomRange * -std::expm1((n + 1) * log_failure);
  std::int64_t low = -1;             // not more, or before all
  std::int64_t high = kRandomRange;  // more, or behind all
  for (std::int64_t step = 1; step < kRandomRange && guess >= 0 && guess <= kRandomRange;
       step *= 8) {
    const auto near = static_cast<std::int64_t>(guess);
    const std::int64_t below = std::max<std::int64_t>(near - step, -1);
    const std::int64_t above = std::min<std::int64_t>(near + step, kRandomRange);
    if (below > low && !more(below)) low = below;
    if (above < high && more(above)) high = above;
    if (low >= below && high <= above) break;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (more(middle) ? high : low) = middle;
  }
  return static_cast<std::uint32_t>(high);
}

}  // namespace

GeometricCounts::GeometricCounts(double log_failure) {
  more_than_.fill(std::numeric_limits<std::uint32_t>::max());
  for (std::uint32_t n = 0; n < kMaxChildren; ++n) {
    const std::uint32_t least = least_random_with_more_than(n, log_failure);
    if (least == kRandomRange) break;
    more_than_[n] = least;
  }
  std::uint8_t children = 0;
  for (std::size_t bucket = 0; bucket < guide_.size(); ++bucket) {
    while (bucket << kGuideShift >= more_than_[children]) ++children;
    guide_[bucket] = children;
  }
}

ChildLaw::ChildLaw(const TreeParameters& parameters) : parameters_(parameters) {
  constexpr std::int32_t kMostLevels = 1024;
  double last = std::numeric_limits<double>::quiet_NaN();
  for (std::int32_t depth = 0; depth < kMostLevels && !settled_; ++depth) {
    if (is_geometric(depth)) {
      if (const double failure = log_failure(depth); failure != last) {
        tables_.push_back(std::make_unique<GeometricCounts>(failure));
        last = failure;
      }
      levels_.push_back(make_level(depth, tables_.back().get()));
      settled_ =
          parameters.type == TreeType::geometric && depth > deepest_geometric_node(parameters);
    } else {
      levels_.push_back(make_level(depth, nullptr));
      settled_ = depth >= (parameters.type == TreeType::balanced ? parameters.depth : 1);
    }
  }
}

bool ChildLaw::is_geometric(std::int32_t depth) const {
  return depth < geometric_depths(parameters_);
}

double ChildLaw::log_failure(std::int32_t depth) const {
  const double p = 1.0 / (1.0 + mean_children(parameters_, depth));
  return std::log(1 - p);
}

ChildLaw::Level ChildLaw::make_level(std::int32_t depth, const GeometricCounts* counts) const {
  const TreeParameters& p = parameters_;
  Level level;
  if (is_geometric(depth)) {
    level.log_failure_ = log_failure(depth);
    level.counts_ = counts;
    level.by_formula_ = counts == nullptr;
    level.inner_from_ = counts == nullptr ? least_random_with_more_than(0, level.log_failure_)
                                          : std::min(counts->least_with_more_than(0), kRandomRange);
    level.inner_values_ = kRandomRange - level.inner_from_;
  } else if (p.type == TreeType::balanced || (p.type == TreeType::binomial && depth == 0)) {
    const bool below_depth = p.type == TreeType::binomial || depth < p.depth;
    level.certain_ = below_depth ? static_cast<std::uint32_t>(p.b0) : 0;
    level.inner_values_ = level.certain_ > 0 ? kRandomRange : 0;
  } else {
    level.certain_ = std::min(static_cast<std::uint32_t>(p.m), kMaxChildren);
    level.inner_values_ = level.certain_ > 0 ? binomial_threshold(p.q) : 0;
  }
  return level;
}

}  // namespace apps
