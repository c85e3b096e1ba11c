#include "apps/report/json_values.hpp"

#include <cmath>
#include <stdexcept>

namespace apps {

namespace {

constexpr double kMost = 1e18;  // so that nothing that is made of them overflows

[[noreturn]] void refuse(const char* key, const std::string& allowed) {
  throw std::invalid_argument('"' + std::string(key) + "\" must be " + allowed);
}

}  // namespace

const Json& member(const Json& object, const char* key) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

const Json& array(const Json& object, const char* key) {
  static const Json empty = Json::array();
  const Json& value = member(object, key);
  if (value.is_null()) return empty;
  if (!value.is_array()) refuse(key, "an array");
  return value;
}

std::string text(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (value.is_null()) return {};
  if (!value.is_string()) refuse(key, "a string");
  return value.get<std::string>();
}

double number(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (value.is_null()) return 0;
  if (!value.is_number() || std::abs(value.get<double>()) > kMost) {
    refuse(key, "a number from -1e18 to 1e18");
  }
  return value.get<double>();
}

double amount(const Json& value, const char* what) {
  if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > kMost) {
    refuse(what, "a number from 0 to 1e18");
  }
  return value.get<double>();
}

double amount_of(const Json& object, const char* key) {
  const Json& value = member(object, key);
  return value.is_null() ? 0 : amount(value, key);
}

std::size_t index_of(const Json& object, const char* key, std::size_t end) {
  const Json& value = member(object, key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= end) {
    refuse(key, "a whole number from 0 to " + std::to_string(end - 1));
  }
  return value.get<std::size_t>();
}

}  // namespace apps
