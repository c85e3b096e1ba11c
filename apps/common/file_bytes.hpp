// The bytes of a file, and what gzip packed into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace apps {

// Bytes at the end of which more can be written, without being set to zero before. Large ones grow
// without being copied, since realloc() moves whole pages.
class Bytes {
 public:
  [[nodiscard]] std::string_view view() const noexcept { return {data_.get(), size_}; }
  [[nodiscard]] std::size_t room() const noexcept { return capacity_ - size_; }
  [[nodiscard]] char* end() noexcept { return data_.get() + size_; }

  void reserve(std::size_t capacity);  // throws std::bad_alloc
  void wrote(std::size_t count) noexcept { size_ += count; }

 private:
  struct Free {
    void operator()(char* data) const noexcept { std::free(data); }
  };

  std::unique_ptr<char, Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// Half of the machine's memory: the other half is for what is computed from a file.
[[nodiscard]] std::uint64_t default_memory_bytes();

// Both throw std::invalid_argument that says what is wrong, also if there are more bytes than
// `most`.
[[nodiscard]] Bytes read_file(const std::string& path, std::uint64_t most);
[[nodiscard]] Bytes gunzip(std::string_view packed, std::uint64_t most);

[[nodiscard]] inline bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

}  // namespace apps
