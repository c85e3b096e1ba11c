// ScalableAllocator: memory that one thread allocates and another frees, as with work that is
// stolen. oneTBB's, whose threads have pools of their own. The thread sanitizer cannot see how
// it hands memory from thread to thread, so that with it the standard one stands in.
#pragma once

#include <oneapi/tbb/scalable_allocator.h>

#include <memory>

namespace belay {

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define BELAY_THREAD_SANITIZER
#endif
#elif defined(__SANITIZE_THREAD__)
#define BELAY_THREAD_SANITIZER
#endif

#ifdef BELAY_THREAD_SANITIZER
// The standard library's, under the thread sanitizer.
template <class T>
using ScalableAllocator = std::allocator<T>;
#else
// oneTBB's.
template <class T>
using ScalableAllocator = tbb::scalable_allocator<T>;
#endif

}  // namespace belay
