// Draws figures with gnuplot, a program that must be on the PATH.
#pragma once

#include <cstdint>
#include <string>

namespace apps {

enum class Image : std::uint8_t { svg, png };

// Pixels of a figure in a page; a PNG has twice as many, for paper.
struct ImageSize {
  int width;
  int height;
};

// The image that the script's plot makes. `name` is a word: an SVG says it, and each of its ids
// begins with it, so that several can stand in one page. Throws std::runtime_error that says in one
// line why there is none.
[[nodiscard]] std::string draw(const std::string& name, const std::string& script, ImageSize size,
                               Image kind);

}  // namespace apps
