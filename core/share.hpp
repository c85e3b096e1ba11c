// Share: how much of a bag a thief is to get. The parameter k of the papers.
#pragma once

#include <algorithm>
#include <cstddef>

namespace belay {

// Half, or a number of tasks.
class Share {
 public:
  // Half of what is there; the bag's split decides what half means.
  static constexpr Share half() noexcept { return Share{0}; }
  // At most this many tasks; 0 means half, as k = 0 does in the lifeline paper (section 2).
  static constexpr Share tasks(std::size_t count) noexcept { return Share{count}; }

  // True of half(), and of tasks(0).
  [[nodiscard]] constexpr bool is_half() const noexcept { return tasks_ == 0; }

  // Of `available` tasks, how many to give so that the giver keeps at least one: half
  // rounded down, or the fixed number as far as it goes.
  [[nodiscard]] constexpr std::size_t of(std::size_t available) const noexcept {
    if (available < 2) return 0;
    return is_half() ? available / 2 : std::min(tasks_, available - 1);
  }

 private:
  constexpr explicit Share(std::size_t count) noexcept : tasks_(count) {}

  std::size_t tasks_;
};

}  // namespace belay
