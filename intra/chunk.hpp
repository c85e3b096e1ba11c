// Chunk: a bag on a deque. One thread makes it and another may free it.
#pragma once

#include <memory>
#include <utility>

#include "belay/core/scalable_allocator.hpp"

namespace belay {

template <class Bag>
struct Chunk {
  explicit Chunk(Bag&& contents) : bag(std::move(contents)) {}
  Bag bag;
};

template <class Bag>
Chunk<Bag>* make_chunk(Bag bag) {
  ScalableAllocator<Chunk<Bag>> allocator;
  Chunk<Bag>* chunk = allocator.allocate(1);
  return std::construct_at(chunk, std::move(bag));
}

// Takes the bag out and frees the shell.
template <class Bag>
Bag open_chunk(Chunk<Bag>* chunk) {
  ScalableAllocator<Chunk<Bag>> allocator;
  Bag bag = std::move(chunk->bag);
  std::destroy_at(chunk);
  allocator.deallocate(chunk, 1);
  return bag;
}

}  // namespace belay
