// Quantum: how long a bag is processed before the scheduler looks around.
//
// A problem's process() asks take() before each task and stops when it says no. That is a
// decrement and one relaxed load of a flag which hungry threads and cancellation raise, so
// any quantum ends at the next task boundary when somebody waits (facts measured for the
// flag: below 0.1 ns). A quantum lives for one call of process(), on one worker's thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace belay {

// Made by the scheduler, for a number of tasks; handed to process().
class Quantum {
 public:
  // attention: raised by others when they want this worker; tasks: how many at most.
  Quantum(const std::atomic<bool>& attention, std::uint32_t tasks) noexcept
      : attention_(&attention), left_(tasks), tasks_(tasks) {}

  // May one more task be started now? Ask exactly once per task: takes are what is counted.
  [[nodiscard]] bool take() noexcept {
    // [quantum.look] relaxed: the flag orders nothing, it only asks the worker to come back;
    // what the caller wants is read by the worker with its own orders. Raised in
    // [worker.beckon].
    if (left_ == 0 || attention_->load(std::memory_order_relaxed)) return false;
    --left_;
    return true;
  }

  // The same for many tasks at once, for a bag that counts its tasks and need not touch each: how
  // many, up to `most`, may be started now.
  [[nodiscard]] std::uint32_t take(std::uint64_t most) noexcept {
    if (should_yield()) return 0;
    const auto count = static_cast<std::uint32_t>(most < left_ ? most : left_);
    left_ -= count;
    return count;
  }

  // For use inside a long task: does somebody wait? A task that can stop in the middle puts
  // what is left back into its bag and returns.
  [[nodiscard]] bool should_yield() const noexcept {
    return attention_->load(std::memory_order_relaxed);
  }

  // Tasks taken so far.
  [[nodiscard]] std::uint32_t taken() const noexcept { return tasks_ - left_; }

 private:
  const std::atomic<bool>* attention_;
  std::uint32_t left_;
  std::uint32_t tasks_;
};

}  // namespace belay
