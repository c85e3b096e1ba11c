// Text of numbers: its lines, its pieces for parallel parsing, and what is wrong with a line.
//
// A line is consumed number by number. What it may not contain is thrown as BadLine; of the bad
// lines of all pieces the first is thrown on, so that an error does not depend on threads.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "apps/bc/parallel.hpp"

namespace apps {

struct BadLine {
  const char* at;    // in the line
  std::string what;  // and what is allowed; printable
};

// "1 to 5", or "1" if there is no choice.
[[nodiscard]] std::string range(std::uint64_t low, std::uint64_t high);

class Line {
 public:
  explicit Line(std::string_view text) noexcept
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {
    if (!text.empty() && text.back() == '\r') --end_;
  }

  // Is nothing left but blanks?
  [[nodiscard]] bool at_end() noexcept {
    while (at_ != end_ && is_blank(*at_)) ++at_;
    return at_ == end_;
  }

  [[nodiscard]] bool begins_with(char mark) noexcept { return !at_end() && *at_ == mark; }
  [[nodiscard]] bool is_blank_or(char comment_mark) noexcept {
    return at_end() || *at_ == comment_mark;
  }

  // The next number, from low to high; `what` it is called if it is wrong.
  std::uint64_t number(const char* what, std::uint64_t low, std::uint64_t high) {
    std::uint64_t value = 0;
    const char* const begin = at_;
    if (parse(value) && value >= low && value <= high) return value;
    at_ = begin;
    refuse(what, range(low, high));
  }

  // A number that is not used, of any size.
  template <class Value>
  void skip_number(const char* what, const char* allowed) {
    Value value{};
    const char* const begin = at_;
    // from_chars() knows no plus.
    if (!at_end() && *at_ == '+' && at_ + 1 != end_ && at_[1] != '-' && !is_blank(at_[1])) ++at_;
    if (parse(value)) return;
    at_ = begin;
    refuse(what, allowed);
  }

  // The next word, in any case, as its place among those allowed.
  std::size_t choice(const char* what, std::initializer_list<std::string_view> allowed);

  void end() {
    if (!at_end()) refuse("rest of the line", "nothing");
  }

  // Throws BadLine: what the line has next, and what is allowed there.
  [[noreturn]] void refuse(const char* what, const std::string& allowed);
  // Throws BadLine about the line as a whole.
  [[noreturn]] void refuse(const std::string& what) const { throw BadLine{begin_, what}; }

 private:
  static bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }

  std::string_view word() noexcept;

  // Numbers too large are numbers too, but for the unsigned, which are used.
  template <class Value>
  bool parse(Value& value) {
    if (at_end()) return false;
    const auto [stop, error] = std::from_chars(at_, end_, value);
    const bool too_large = error == std::errc::result_out_of_range;
    if (error != std::errc{} && (!too_large || std::is_same_v<Value, std::uint64_t>)) return false;
    if (stop != end_ && !is_blank(*stop)) return false;
    at_ = stop;
    return true;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
};

// Takes the first line off the text, which must not be empty.
inline Line take_line(std::string_view& text) noexcept {
  const auto* const end = static_cast<const char*>(std::memchr(text.data(), '\n', text.size()));
  const std::size_t size =
      end == nullptr ? text.size() : static_cast<std::size_t>(end - text.data());
  const Line line(text.substr(0, size));
  text.remove_prefix(std::min(size + 1, text.size()));
  return line;
}

// Takes off the first line that is neither blank nor a comment; throws BadLine if there is none.
Line take_header(std::string_view& text, char comment_mark, const char* what);

// Pieces of whole lines that are together the text.
[[nodiscard]] std::vector<std::string_view> cut(std::string_view text);

// How many lines a piece has; to reserve memory, the touching of which costs more than counting.
[[nodiscard]] inline std::size_t count_lines(std::string_view piece) noexcept {
  return static_cast<std::size_t>(std::count(piece.begin(), piece.end(), '\n')) + 1;
}

// Calls f(piece, index) in parallel.
template <class F>
void for_each_piece(const std::vector<std::string_view>& pieces, const F& f) {
  std::vector<std::optional<BadLine>> bad(pieces.size());
  for_each_index(pieces.size(), [&](std::size_t i) {
    try {
      f(pieces[i], i);
    } catch (BadLine& line) {
      bad[i] = std::move(line);
    }
  });
  for (std::optional<BadLine>& line : bad) {
    if (line) throw std::move(*line);
  }
}

}  // namespace apps
