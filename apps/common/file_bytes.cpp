#include "apps/common/file_bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <new>
#include <stdexcept>
#include <system_error>

namespace apps {

namespace {

constexpr std::uint64_t kLeastGrowth = 1U << 16U;

[[noreturn]] void refuse_size(std::uint64_t most) {
  throw std::invalid_argument("more bytes than memory has room for; allowed: " +
                              std::to_string(most));
}

// Makes room, but for no more than one byte beyond `most`, by which is seen that there are more.
void grow(Bytes& bytes, std::uint64_t most) {
  const std::uint64_t size = bytes.view().size();
  if (size > most) refuse_size(most);
  bytes.reserve(std::min(most + 1, std::max(2 * size, kLeastGrowth)));
}

class File {
 public:
  explicit File(const std::string& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) fail();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(descriptor_); }

  // Bytes to expect; 0 if that is not known.
  [[nodiscard]] std::uint64_t size() const {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) fail();
    if (S_ISREG(status.st_mode)) return static_cast<std::uint64_t>(status.st_size);
    if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) return 0;
    throw std::invalid_argument(S_ISDIR(status.st_mode) ? "is a directory; allowed: a file"
                                                        : "is a device; allowed: a file or pipe");
  }

  // At the end of the file 0.
  std::size_t read_some(char* into, std::size_t most) const {
    for (;;) {
      const ssize_t count = read(descriptor_, into, most);
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) fail();
    }
  }

 private:
  [[noreturn]] static void fail() {
    throw std::invalid_argument("cannot be read: " + std::generic_category().message(errno));
  }

  int descriptor_;
};

// inflate() of zlib.
class Inflater {
 public:
  Inflater() {
    constexpr int kGzipAlone = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipAlone) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  // Moves on in `packed` as far as there is room. False at the end of a gzip member.
  bool inflate_some(std::string_view& packed, Bytes& into) {
    // zlib counts in 32 bits, and promises not to write to the input.
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(std::min(packed.size(), kMost));
    const uInt offered = stream_.avail_in;
    const auto room = static_cast<uInt>(std::min(into.room(), kMost));
    stream_.next_out = reinterpret_cast<Bytef*>(into.end());
    stream_.avail_out = room;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    packed.remove_prefix(offered - stream_.avail_in);
    into.wrote(room - stream_.avail_out);
    if (status == Z_STREAM_END) return false;
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_BUF_ERROR) {
      throw std::invalid_argument("damaged gzip data; allowed: whole gzip files");
    }
    if (packed.empty() && stream_.avail_out > 0) {
      throw std::invalid_argument("the gzip data end early; allowed: whole gzip files");
    }
    return true;
  }

  void start_next_member() { inflateReset(&stream_); }

 private:
  z_stream stream_{};
};

}  // namespace

void Bytes::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  char* const data = static_cast<char*>(std::realloc(data_.get(), capacity));
  if (data == nullptr) throw std::bad_alloc();
  static_cast<void>(data_.release());
  data_.reset(data);
  capacity_ = capacity;
}

std::uint64_t default_memory_bytes() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
}

Bytes read_file(const std::string& path, std::uint64_t most) {
  const File file(path);
  Bytes bytes;
  const std::uint64_t expected = file.size();
  if (expected > most) refuse_size(most);
  bytes.reserve(expected + 1);  // so that the end is found without growing
  for (;;) {
    if (bytes.room() == 0) grow(bytes, most);
    const std::size_t count = file.read_some(bytes.end(), bytes.room());
    if (count == 0) return bytes;
    bytes.wrote(count);
  }
}

Bytes gunzip(std::string_view packed, std::uint64_t most) {
  Inflater inflater;
  Bytes bytes;
  while (!packed.empty()) {
    if (!is_gzip(packed)) {
      throw std::invalid_argument("rubbish behind the gzip data; allowed: whole gzip files");
    }
    do {
      if (bytes.room() == 0) grow(bytes, most);
    } while (inflater.inflate_some(packed, bytes));
    inflater.start_next_member();
  }
  return bytes;
}

}  // namespace apps
