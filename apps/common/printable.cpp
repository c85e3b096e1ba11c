#include "apps/common/printable.hpp"

namespace apps {

std::string printable(std::string_view text, std::size_t most) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string shown;
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte <= '~') {
      shown += c;
    } else {
      (shown += "\\x") += kDigits[byte >> 4U];
      shown += kDigits[byte & 15U];
    }
  }
  return text.size() > most ? shown + "..." : shown;
}

}  // namespace apps
