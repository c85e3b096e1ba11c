#include "apps/uts/tree.hpp"

#include <algorithm>
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

ChildLaw::ChildLaw(const TreeParameters& parameters)
    : parameters_(parameters),
      geometric_below_(geometric_depths(parameters)),
      threshold_(binomial_threshold(parameters.q)),
      m_(std::min(static_cast<std::uint32_t>(parameters.m), kMaxChildren)) {
  if (parameters.type == TreeType::binomial || parameters.type == TreeType::balanced) {
    certain_ = static_cast<std::uint32_t>(parameters.b0);
    certain_below_ = parameters.type == TreeType::binomial ? 1 : parameters.depth;
  }
  if (parameters.type == TreeType::balanced) m_ = 0;
  for (std::size_t i = 0; i < kKept; ++i) {
    log_failure_[i] = log_failure(static_cast<std::int32_t>(i));
  }
}

// p is the chance that there is no further child, such that the mean is right.
double ChildLaw::log_failure(std::int32_t depth) const {
  const double p = 1.0 / (1.0 + mean_children(parameters_, depth));
  return std::log(1 - p);
}

}  // namespace apps
