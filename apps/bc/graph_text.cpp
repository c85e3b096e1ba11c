#include "apps/bc/graph_text.hpp"

#include <cctype>

#include "apps/common/printable.hpp"

namespace apps {

std::string range(std::uint64_t low, std::uint64_t high) {
  return std::to_string(low) + (low == high ? "" : " to " + std::to_string(high));
}

std::string_view Line::word() noexcept {
  if (at_end()) return {};
  const char* const begin = at_;
  while (at_ != end_ && !is_blank(*at_)) ++at_;
  return {begin, static_cast<std::size_t>(at_ - begin)};
}

std::size_t Line::choice(const char* what, std::initializer_list<std::string_view> allowed) {
  const auto equals = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  const char* const begin = at_;
  const std::string_view given = word();
  std::string names;
  for (const std::string_view* name = allowed.begin(); name != allowed.end(); ++name) {
    if (std::ranges::equal(given, *name, equals)) {
      return static_cast<std::size_t>(name - allowed.begin());
    }
    if (!names.empty()) names += name + 1 == allowed.end() ? " or " : ", ";
    names += *name;
  }
  at_ = begin;
  refuse(what, names);
}

void Line::refuse(const char* what, const std::string& allowed) {
  const std::string_view given = word();
  throw BadLine{begin_, what + (given.empty() ? " missing" : " = " + printable(given)) +
                            ", allowed: " + allowed};
}

Line take_header(std::string_view& text, char comment_mark, const char* what) {
  while (!text.empty()) {
    Line line = take_line(text);
    if (!line.is_blank_or(comment_mark)) return line;
  }
  throw BadLine{text.data(), std::string("the text ends before the ") + what};
}

std::vector<std::string_view> cut(std::string_view text) {
  // Large enough that a piece costs nothing, small enough that its numbers fit into a cache; small
  // texts are cut too, so that tests are about pieces.
  constexpr std::size_t kLeast = 256;
  constexpr std::size_t kMost = 1U << 20U;
  const std::size_t size = std::clamp(text.size() / 64, kLeast, kMost);
  std::vector<std::string_view> pieces;
  while (text.size() > size) {
    const std::size_t end = text.find('\n', size - 1);
    if (end == std::string_view::npos) break;
    pieces.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  if (!text.empty()) pieces.push_back(text);
  return pieces;
}

}  // namespace apps
