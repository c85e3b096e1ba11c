// HangGuard: a test that may hang fails instead.
//
// A thread that missed its wake-up can be neither woken nor joined, so the guard says which
// test hangs and ends the program as failed.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

namespace belay::test {

class HangGuard {
 public:
  // More than twenty times what the slowest test takes under a sanitizer.
  static constexpr std::chrono::seconds kLimit{100};

  HangGuard() : watcher_([this] { watch(); }) {}

  ~HangGuard() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
    watcher_.join();
  }

  HangGuard(const HangGuard&) = delete;
  HangGuard& operator=(const HangGuard&) = delete;

 private:
  static std::string test_name() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    return std::string(test->test_suite_name()) + '.' + test->name();
  }

  void watch() {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, kLimit, [this] { return over_; })) return;
    std::fprintf(stderr, "[  FAILED  ] %s hangs\n", name_.c_str());
    std::_Exit(EXIT_FAILURE);
  }

  const std::string name_ = test_name();
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread watcher_;
};

}  // namespace belay::test
