// A tree of source files by path: this repository's, or a small one made up by a test.
#pragma once

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace belay::test {

using SourceTree = std::map<std::string, std::string>;  // path from the top -> text

inline SourceTree read_sources(std::initializer_list<const char*> folders) {
  namespace fs = std::filesystem;
  const fs::path top = BELAY_SOURCE_DIR;
  SourceTree tree;
  for (const char* folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(top / folder)) {
      if (entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp") continue;
      std::ifstream file(entry.path());
      tree[entry.path().lexically_relative(top).generic_string()] =
          std::string(std::istreambuf_iterator<char>(file), {});
    }
  }
  return tree;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace belay::test
