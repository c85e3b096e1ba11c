#include "apps/report/quantity.hpp"

#include <array>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace apps {

namespace {

struct Prefix {
  double factor;
  const char* letter;
  const char* word;
};

// What people do not say is left out: kiloseconds, and thousandths of things that are counted.
constexpr std::array kOfSeconds{Prefix{1, "", ""}, Prefix{1e-3, "m", ""}, Prefix{1e-6, "µ", ""},
                                Prefix{1e-9, "n", ""}};
constexpr std::array kOfCounts{Prefix{1e12, "T", "trillion "}, Prefix{1e9, "G", "billion "},
                               Prefix{1e6, "M", "million "}, Prefix{1e3, "k", "thousand "},
                               Prefix{1, "", ""}};

Prefix prefix_of(double value, bool seconds) {
  constexpr double kRounding = 1e-9;  // a thousandth may be a little less
  const auto fits = [&](const Prefix& prefix) {
    return std::abs(value) >= prefix.factor * (1 - kRounding);
  };
  if (!seconds) {
    for (const Prefix& prefix : kOfCounts) {
      if (fits(prefix)) return prefix;
    }
    return kOfCounts.back();
  }
  for (const Prefix& prefix : kOfSeconds) {
    if (fits(prefix)) return prefix;
  }
  return value == 0 ? kOfSeconds.front() : kOfSeconds.back();
}

}  // namespace

Quantity quantity(double value, const std::string& unit) {
  const bool seconds = unit == "s";
  const Prefix prefix = prefix_of(value, seconds);
  return {prefix.factor, (seconds ? prefix.letter : prefix.word) + unit};
}

std::string shown(double value, const std::string& unit) {
  constexpr double kRoundsToFourDigits = 999.5;
  const bool seconds = unit == "s";
  const Prefix prefix = prefix_of(value, seconds);
  const double number = value / prefix.factor;
  std::ostringstream text;
  if (std::abs(number) >= kRoundsToFourDigits) {
    text << std::fixed << std::setprecision(0);
  } else {
    text << std::setprecision(3);
  }
  text << number;
  for (const std::string& word :
       {prefix.letter + std::string(seconds ? unit : ""), seconds ? std::string() : unit}) {
    if (!word.empty()) text << ' ' << word;
  }
  return text.str();
}

}  // namespace apps
