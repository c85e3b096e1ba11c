// What the model's threads need of the system: the futex, and memory.
#include "tests/intra/model/atomics.hpp"
// The model's std::atomic from here on.
#include "belay/intra/futex.hpp"

namespace belay {

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                std::optional<std::chrono::nanoseconds> timeout) noexcept {
  word.sleep_while(expected, timeout.has_value());
}

void futex_wake(std::atomic<std::uint32_t>& word, int count) noexcept { word.wake(count); }

namespace model {

// relacy defines new and delete inline. Their addresses keep them in the program where the
// compiler has inlined every call, so that the standard library's own calls find them too.
extern const std::array<void (*)(void*), 2> kDeletes;
extern const std::array<void* (*)(std::size_t), 2> kNews;
const std::array<void (*)(void*), 2> kDeletes{&operator delete, &operator delete[] };
const std::array<void* (*)(std::size_t), 2> kNews{&operator new, &operator new[] };

}  // namespace model
}  // namespace belay

// relacy does not know these, and the standard library's would miss its book-keeping.
void operator delete(void* memory, std::size_t /*size*/) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t /*size*/) noexcept { operator delete[](memory); }
