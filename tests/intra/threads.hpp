// Threads of a test, and whether they sleep.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace belay::test {

// Calls body(i) on threads 0 to count-1 and joins them when it dies.
class Threads {
 public:
  template <class Body>
  Threads(int count, Body body) : ids_(static_cast<std::size_t>(count)) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([this, i, body] {
        ids_[static_cast<std::size_t>(i)] = gettid();
        body(i);
      });
    }
  }
  ~Threads() { join(); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  void join() {
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

  // Is thread i asleep in the kernel? Looked at several times, since a thread may sleep for a
  // moment elsewhere than where the test means.
  [[nodiscard]] bool asleep(int i) const {
    for (int look = 0; look < 5; ++look) {
      if (!asleep_now(ids_[static_cast<std::size_t>(i)])) return false;
      std::this_thread::yield();
    }
    return true;
  }

  void await_asleep() const {
    for (int i = 0; i < static_cast<int>(ids_.size()); ++i) {
      while (!asleep(i)) std::this_thread::yield();
    }
  }

 private:
  static bool asleep_now(pid_t thread) {
    if (thread == 0) return false;
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
    std::string text;
    std::getline(file, text);
    const auto name_end = text.rfind(')');  // the state stands behind the name
    return name_end != std::string::npos && text.substr(name_end).starts_with(") S");
  }

  std::vector<std::atomic<pid_t>> ids_;
  std::vector<std::thread> threads_;
};

// Waits by looking: for tests whose subject must not do the waking. Looks closely at first, so
// that the test's next step comes right after the condition.
template <class Condition>
void await(Condition condition) {
  for (int looks = 0; !condition(); ++looks) {
    if (looks > 1000) std::this_thread::yield();
  }
}

}  // namespace belay::test
