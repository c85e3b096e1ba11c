// Orders: what the comments of the headers say about their synchronising accesses, and a way to
// weaken one of them.
//
// Every access that is not relaxed stands below a comment "[tag] order; ..." which states its
// order. The model's atomics ask here with the place and the order of the access; the answer
// is the order in force: the stated one, or a weaker one that a test has put in its stead. So
// the code under test needs neither a parameter nor a macro for it, and an access without a
// comment, or with one that states another order, fails the model.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/source_tree.hpp"

namespace belay::model {

struct Access {
  std::string tag;
  std::memory_order stated;
  std::memory_order in_force;
  bool met = false;  // by a model since the last restore()
};

class Orders {
 public:
  // Reads the headers below `folder`.
  explicit Orders(const char* folder) {
    for (const auto& [file, text] : test::read_sources({folder})) read(file, text);
  }

  // The access at this place if its comment states this order, else nullptr. Allocates nothing.
  Access* find(const char* file, int line, std::memory_order order) {
    const std::vector<Group>* groups = groups_of(file);
    if (groups == nullptr) return nullptr;
    const auto below = std::upper_bound(groups->begin(), groups->end(), line,
                                        [](int l, const Group& group) { return l < group.line; });
    if (below == groups->begin()) return nullptr;
    for (const std::size_t i : std::prev(below)->accesses) {
      if (accesses_[i].stated == order) return &accesses_[i];
    }
    return nullptr;
  }

  // From now on an access with this tag has that order.
  void weaken(std::string_view tag, std::memory_order order) { named(tag).in_force = order; }
  // All have their stated order again, and none has been met.
  void restore() {
    for (Access& access : accesses_) {
      access.in_force = access.stated;
      access.met = false;
    }
  }
  [[nodiscard]] bool met(std::string_view tag) { return named(tag).met; }
  [[nodiscard]] std::memory_order stated(std::string_view tag) { return named(tag).stated; }

  [[nodiscard]] const std::vector<Access>& accesses() const { return accesses_; }

 private:
  // The definitions in one comment, which may be several: an exchange that compares has an order
  // for its success and one for its failure.
  struct Group {
    int line;  // the first
    std::vector<std::size_t> accesses;
  };

  void read(const std::string& file, const std::string& text) {
    static const std::regex kDefinition(
        R"( *// \[([a-z_]+\.[a-z_]+)\] (relaxed|consume|acquire|release|acq_rel|seq_cst)\b.*)");
    static constexpr std::array kNames{"relaxed", "consume", "acquire",
                                       "release", "acq_rel", "seq_cst"};
    int line = 0;
    bool in_comment = false;
    for (const std::string& row : test::lines_of(text)) {
      ++line;
      const bool comment = row.find_first_not_of(' ') == row.find("//");
      if (!comment) in_comment = false;
      std::smatch match;
      if (!std::regex_match(row, match, kDefinition)) continue;
      const auto order = static_cast<std::memory_order>(
          std::find(kNames.begin(), kNames.end(), match[2]) - kNames.begin());
      if (!in_comment) groups_[file].push_back({line, {}});
      in_comment = true;
      groups_[file].back().accesses.push_back(accesses_.size());
      accesses_.push_back({match[1], order, order});
    }
  }

  Access& named(std::string_view tag) {
    const auto access = std::find_if(accesses_.begin(), accesses_.end(),
                                     [&](const Access& a) { return a.tag == tag; });
    if (access == accesses_.end()) throw std::invalid_argument("no [" + std::string(tag) + "]");
    return *access;
  }

  const std::vector<Group>* groups_of(std::string_view file) {
    for (const auto& [name, groups] : groups_) {
      if (file.ends_with(name)) return &groups;
    }
    return nullptr;
  }

  std::vector<Access> accesses_;
  std::map<std::string, std::vector<Group>> groups_;  // by file, in the order of their lines
};

// Of the headers of one node.
inline Orders& orders() {
  static Orders the_orders("intra");
  return the_orders;
}

}  // namespace belay::model
