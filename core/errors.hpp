// Errors: what belay throws, and the check that stays on in every build.
//
// Wrong parameters throw std::invalid_argument from wherever they are validated. A broken
// invariant or bad data from the wire throws std::logic_error through BELAY_CHECK. What user
// code threw, on any rank, comes out of every rank's run() as one belay::Error.
#pragma once

#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>

namespace belay {

// A run failed: user code threw, or a broken invariant was found, on rank rank().
// what() is "rank R: MESSAGE", with the message of the first exception of the lowest rank
// whose failure reached the root before the root decided the outcome.
class Error : public std::runtime_error {
 public:
  // rank >= 0: where it happened.
  Error(int rank, const std::string& message)
      : std::runtime_error("rank " + std::to_string(rank) + ": " + message), rank_(rank) {}

  // Of the session's ranks, the one where it happened.
  [[nodiscard]] int rank() const noexcept { return rank_; }

 private:
  int rank_;
};

// What the exception now being handled says; for use in catch (...).
inline std::string describe_current_exception() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

namespace detail {

template <class... Values>
[[noreturn]] void check_failed(const char* file, int line, const char* condition,
                               const Values&... values) {
  std::ostringstream text;
  text << file << ':' << line << ": check failed: " << condition;
  ((text << " [" << values << ']'), ...);
  throw std::logic_error(text.str());
}

}  // namespace detail

}  // namespace belay

// BELAY_CHECK(condition, values...): always on; throws std::logic_error with file, line, the
// condition and the values. (clang 14 has no std::source_location.)
#define BELAY_CHECK(condition, ...) \
  ((condition)                      \
       ? static_cast<void>(0)       \
       : ::belay::detail::check_failed(__FILE__, __LINE__, #condition __VA_OPT__(, ) __VA_ARGS__))
