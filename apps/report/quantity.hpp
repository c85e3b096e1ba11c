// Numbers with units, as people read them.
#pragma once

#include <string>

namespace apps {

// The unit, with its prefix, in which a number is from 1 to below 1000.
struct Quantity {
  double unit;       // what one of it is: 0.001 for milliseconds
  std::string name;  // "ms"; "million tasks" and not "Mtasks"
};
[[nodiscard]] Quantity quantity(double value, const std::string& unit);

// "3.14 ms", "3.14 M tasks": in three digits.
[[nodiscard]] std::string shown(double value, const std::string& unit);

}  // namespace apps
