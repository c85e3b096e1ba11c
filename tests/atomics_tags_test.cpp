// Synchronising atomic accesses name each other, both ways:
//
//     // [ring.publish] release; pairs with [ring.read] and [ring.steal]: why.
//
// A definition is a comment line that begins with the tag and the order. Every tag that a
// comment mentions has one definition, and who is named after "pairs with" answers likewise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <string>

#include "tests/source_tree.hpp"

namespace belay::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::regex kTag(R"(\[([a-z_]+\.[a-z_]+)\])");
const std::regex kDefinition(
    R"(\[([a-z_]+\.[a-z_]+)\] (relaxed|consume|acquire|release|acq_rel|seq_cst).*)");
const std::regex kPartners(R"(pairs with((,? (and )?\[[a-z_.]+\])+))");

std::set<std::string> tags_in(const std::string& text) {
  std::set<std::string> tags;
  for (std::sregex_iterator i(text.begin(), text.end(), kTag), end; i != end; ++i) {
    tags.insert((*i)[1]);
  }
  return tags;
}

std::set<std::string> partners_in(const std::string& text) {
  std::set<std::string> partners;
  for (std::sregex_iterator i(text.begin(), text.end(), kPartners), end; i != end; ++i) {
    partners.merge(tags_in((*i)[1]));
  }
  return partners;
}

std::set<std::string> tag_violations_in(const SourceTree& tree) {
  std::set<std::string> violations;
  std::set<std::string> mentioned;
  std::map<std::string, std::string> definitions;  // tag -> its comment, as one line

  for (const auto& [file, text] : tree) {
    std::string* definition = nullptr;  // the one that the next comment line continues
    for (const std::string& line : lines_of(text)) {
      const auto slashes = line.find("//");
      if (slashes == std::string::npos) {
        definition = nullptr;
        continue;
      }
      const auto begin = line.find_first_not_of("/ ", slashes);
      const std::string comment = begin == std::string::npos ? "" : line.substr(begin);
      mentioned.merge(tags_in(comment));
      std::smatch match;
      if (std::regex_match(comment, match, kDefinition)) {
        const auto [entry, first] = definitions.try_emplace(match[1]);
        if (!first) violations.insert(entry->first + " is defined twice");
        definition = &entry->second;
      }
      if (definition != nullptr) *definition += comment + ' ';
    }
  }

  for (const std::string& tag : mentioned) {
    if (!definitions.contains(tag)) violations.insert(tag + " is not defined");
  }
  for (const auto& [tag, comment] : definitions) {
    for (const std::string& partner : partners_in(comment)) {
      const auto answer = definitions.find(partner);
      if (answer != definitions.end() && !partners_in(answer->second).contains(tag)) {
        violations.insert(partner + " does not answer " + tag);
      }
    }
  }
  return violations;
}

TEST(AtomicsTags, NameEachOther) {
  const SourceTree tree = read_sources({"core", "intra", "inter", "apps"});
  ASSERT_TRUE(tree.contains("core/rng.hpp"));
  EXPECT_THAT(tag_violations_in(tree), IsEmpty());
}

TEST(AtomicsTags, PairAndListAreAccepted) {
  EXPECT_THAT(tag_violations_in({{"a.hpp",
                                  "// [a.set] release; pairs with [b.get], [b.peek]\n"
                                  "// and [b.look]: why, which\n"
                                  "// [b.get] explains too.\n"},
                                 {"b.hpp",
                                  "  x = y;  // [b.get] acquire; pairs with [a.set]: why.\n"
                                  "  // [b.peek] acquire; pairs with [a.set].\n"
                                  "  // [b.look] acquire; pairs\n"
                                  "  // with [a.set].\n"}}),
              IsEmpty());
}

TEST(AtomicsTags, UnknownPartnerIsReported) {
  EXPECT_THAT(tag_violations_in({{"a.hpp", "// [a.set] release; pairs with [a.get].\n"}}),
              ElementsAre("a.get is not defined"));
}

TEST(AtomicsTags, UnknownTagInPassingIsReported) {
  EXPECT_THAT(tag_violations_in({{"a.hpp", "// See [a.get].\n"}}),
              ElementsAre("a.get is not defined"));
}

TEST(AtomicsTags, PartnerThatDoesNotAnswerIsReported) {
  EXPECT_THAT(tag_violations_in({{"a.hpp",
                                  "// [a.set] release; pairs with [a.get].\n"
                                  "// [a.get] acquire.\n"}}),
              ElementsAre("a.get does not answer a.set"));
}

TEST(AtomicsTags, CommentEndsWithTheCodeBelowIt) {
  EXPECT_THAT(tag_violations_in({{"a.hpp",
                                  "// [a.set] release; pairs with [a.get].\n"
                                  "// [a.get] acquire.\n"
                                  "f();\n"
                                  "// pairs with [a.set]\n"}}),
              ElementsAre("a.get does not answer a.set"));
}

TEST(AtomicsTags, SecondDefinitionIsReported) {
  EXPECT_THAT(tag_violations_in({{"a.hpp",
                                  "// [a.set] release.\n"
                                  "f();\n"
                                  "// [a.set] release.\n"}}),
              ElementsAre("a.set is defined twice"));
}

}  // namespace
}  // namespace belay::test
