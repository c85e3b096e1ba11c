// Members of JSON objects that may be missing, but must not be something else.
//
// All throw std::invalid_argument that names the key.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace apps {

using Json = nlohmann::ordered_json;

// Missing: null, which has no members or elements itself.
[[nodiscard]] const Json& member(const Json& object, const char* key);
// Missing: an empty array.
[[nodiscard]] const Json& array(const Json& object, const char* key);
// Missing: empty.
[[nodiscard]] std::string text(const Json& object, const char* key);
// Missing: 0.
[[nodiscard]] double number(const Json& object, const char* key);
// `what` says in errors whose value it is.
[[nodiscard]] double amount(const Json& value, const char* what);
// Not negative. Missing: 0.
[[nodiscard]] double amount_of(const Json& object, const char* key);
// Below `end`, and never missing.
[[nodiscard]] std::size_t index_of(const Json& object, const char* key, std::size_t end);

}  // namespace apps
