// What all formats share: files, gzip, names, the place of errors.
#include "apps/bc/graph_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/apps/bc/parse.hpp"

namespace apps {
namespace {

constexpr std::string_view kTriangle = "1 2\n2 3\n3 1\n";

// A folder that is removed with all that is in it.
class Folder {
 public:
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "graph_test.XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::string file(const std::string& name, std::string_view bytes) const {
    const std::string path = path_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

Graph read_any(const std::string& path, std::uint64_t memory_bytes = default_memory_bytes()) {
  return read_graph(path, GraphFormat::automatic, {}, memory_bytes);
}

std::string read_refusal(const std::string& path,
                         std::uint64_t memory_bytes = default_memory_bytes()) {
  return test::refusal_of([&] { static_cast<void>(read_any(path, memory_bytes)); });
}

TEST(GraphFile, SuffixChoosesTheFormat) {
  const Folder folder;
  constexpr std::string_view kMatrix =
      "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n2 3\n3 1\n";
  constexpr std::string_view kLists = "3 3\n2 3\n1 3\n1 2\n";
  const auto expect_triangle = [&](const std::string& name, std::string_view bytes) {
    EXPECT_EQ(read_any(folder.file(name, bytes)).edges(), 3U) << name;
  };
  for (const char* name : {"a.txt", "a.el", "a.snap", "a.edges"}) expect_triangle(name, kTriangle);
  expect_triangle("a.mtx", kMatrix);
  expect_triangle("a.graph", kLists);
  expect_triangle("a.metis", kLists);
  expect_triangle("a.mtx.gz", test::gzip(kMatrix));
  expect_triangle("gzip_under_a_plain_name.mtx", test::gzip(kMatrix));
  expect_triangle("plain_under_a_gzip_name.mtx.gz", kMatrix);
}

TEST(GraphFile, ChosenFormatOverridesTheSuffix) {
  const Folder folder;
  const std::string path = folder.file("a.mtx", kTriangle);
  EXPECT_EQ(read_graph(path, GraphFormat::snap, {}).edges(), 3U);
}

TEST(GraphFile, UnknownSuffixIsRefused) {
  EXPECT_EQ(read_refusal("graph.csv"),
            "graph.csv: the name does not say the format; allowed: a format, or .mtx .graph .metis "
            ".txt .el .snap .edges at the end, then .gz or nothing");
}

TEST(GraphFile, WhatIsNoFileIsRefused) {
  const Folder folder;
  const std::string missing = folder.path() / "missing.txt";
  EXPECT_EQ(read_refusal(missing), missing + ": cannot be read: No such file or directory");
  const std::string directory = folder.path() / "directory.txt";
  std::filesystem::create_directory(directory);
  EXPECT_EQ(read_refusal(directory), directory + ": is a directory; allowed: a file");
  const std::string device = folder.path() / "zero.txt";
  std::filesystem::create_symlink("/dev/zero", device);
  EXPECT_EQ(read_refusal(device), device + ": is a device; allowed: a file or pipe");
  if (geteuid() != 0) {
    const std::string secret = folder.file("secret.txt", kTriangle);
    chmod(secret.c_str(), 0);
    EXPECT_EQ(read_refusal(secret), secret + ": cannot be read: Permission denied");
  }
}

TEST(GraphFile, PipesAreRead) {
  const Folder folder;
  const std::string path = folder.path() / "pipe.txt";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::jthread writer([&] { std::ofstream(path) << kTriangle << std::flush; });
  EXPECT_EQ(read_any(path).edges(), 3U);
}

TEST(GraphFile, MoreBytesThanMemoryHoldsAreRefused) {
  const Folder folder;
  const std::string plain = folder.file("plain.txt", kTriangle);
  EXPECT_EQ(read_any(plain, kTriangle.size()).edges(), 3U);
  EXPECT_EQ(read_refusal(plain, kTriangle.size() - 1),
            plain + ": more bytes than memory has room for; allowed: 11");
  const std::string large(10'000'000, '\n');
  const std::string packed = folder.file("packed.txt", test::gzip(large));
  EXPECT_EQ(read_refusal(packed, 1'000'000),
            packed + ": more bytes than memory has room for; allowed: 1000000");
}

TEST(GraphFile, GzipMembersFollowEachOther) {
  const std::string packed = test::gzip("1 2\n2") + test::gzip(" 3\n3 1\n");
  EXPECT_EQ(test::parse_snap(packed).edges(), 3U);
}

TEST(GraphFile, LargeGzipIsUnpackedWhole) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i) + ' ' + std::to_string(i + 1) + '\n';
  EXPECT_EQ(test::parse_snap(test::gzip(text)), test::parse_snap(text));
}

TEST(GraphFile, DamagedGzipIsRefused) {
  const std::string packed = test::gzip(kTriangle);
  for (std::size_t size = 2; size < packed.size(); ++size) {
    EXPECT_EQ(test::snap_refusal(packed.substr(0, size)),
              "g: the gzip data end early; allowed: whole gzip files")
        << size;
  }
  std::string damaged = packed;
  damaged[packed.size() - 6] ^= 1;  // its check sum
  EXPECT_EQ(test::snap_refusal(damaged), "g: damaged gzip data; allowed: whole gzip files");
  EXPECT_EQ(test::snap_refusal(packed + "x"),
            "g: rubbish behind the gzip data; allowed: whole gzip files");
}

TEST(GraphFile, FirstWrongLineIsReportedWhateverThePieces) {
  std::string text;
  for (int line = 1; line <= 20'000; ++line) {
    text += line % 1000 == 0 ? "7 x\n" : line % 100 == 0 ? "# seven\n" : "7 8\r\n";
  }
  EXPECT_EQ(test::snap_refusal(text), "g:1000: to = x, allowed: 0 to 18446744073709551615");
}

TEST(GraphFile, ErrorsArePrintable) {
  const std::string wrong = "1 \x01\xff" + std::string(1, '\0') + std::string(100, 'a') + "\n";
  EXPECT_EQ(test::refusal(wrong, GraphFormat::snap, {}, "name\nof two lines"),
            "name\\x0aof two lines:1: to = \\x01\\xff\\x00" + std::string(37, 'a') +
                "..., allowed: 0 to 18446744073709551615");
}

TEST(GraphFile, LastLineNeedsNoEnd) {
  EXPECT_EQ(test::parse_snap("1 2\n2 3").edges(), 2U);
  EXPECT_EQ(test::parse_snap("1 2\r\n2 3\r").edges(), 2U);
}

}  // namespace
}  // namespace apps
