// Chunk: a bag on a deque. The shell comes from oneTBB's scalable allocator, since chunks are
// made by one thread and freed by another. The thread sanitizer cannot see how that allocator
// hands memory from thread to thread, so that with it the shell comes from the standard one.
#pragma once

#include <oneapi/tbb/scalable_allocator.h>

#include <memory>
#include <utility>

namespace belay {

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define BELAY_THREAD_SANITIZER
#endif
#elif defined(__SANITIZE_THREAD__)
#define BELAY_THREAD_SANITIZER
#endif

namespace detail {

#ifdef BELAY_THREAD_SANITIZER
template <class T>
using ChunkAllocator = std::allocator<T>;
#else
template <class T>
using ChunkAllocator = tbb::scalable_allocator<T>;
#endif

}  // namespace detail

template <class Bag>
struct Chunk {
  explicit Chunk(Bag&& contents) : bag(std::move(contents)) {}
  Bag bag;
};

template <class Bag>
Chunk<Bag>* make_chunk(Bag bag) {
  detail::ChunkAllocator<Chunk<Bag>> allocator;
  Chunk<Bag>* chunk = allocator.allocate(1);
  return std::construct_at(chunk, std::move(bag));
}

// Takes the bag out and frees the shell.
template <class Bag>
Bag open_chunk(Chunk<Bag>* chunk) {
  detail::ChunkAllocator<Chunk<Bag>> allocator;
  Bag bag = std::move(chunk->bag);
  std::destroy_at(chunk);
  allocator.deallocate(chunk, 1);
  return bag;
}

}  // namespace belay
