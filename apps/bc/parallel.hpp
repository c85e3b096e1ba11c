// Parallel loops and sorting, through oneTBB. The thread sanitizer cannot see how oneTBB's threads
// wait for each other, so that with it the standard library stands in.
#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <vector>

#include "belay/core/scalable_allocator.hpp"

namespace apps {

// Calls f(i) for all i < count; what they do happens before it returns. What one of them throws is
// thrown on.
template <class F>
void for_each_index(std::size_t count, const F& f) {
#ifdef BELAY_THREAD_SANITIZER
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) f(i);
  };
  std::future<void> other = std::async(std::launch::async, work);
  work();
  other.get();
#else
  tbb::parallel_for(std::size_t{0}, count, f);
#endif
}

template <class Value>
void parallel_sort(std::vector<Value>& values) {
#ifdef BELAY_THREAD_SANITIZER
  std::sort(values.begin(), values.end());
#else
  tbb::parallel_sort(values.begin(), values.end());
#endif
}

}  // namespace apps
