// Text of others, as error lines may show it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace apps {

// As one printable line, the text cut after so many bytes.
[[nodiscard]] std::string printable(std::string_view text, std::size_t most = 40);

}  // namespace apps
