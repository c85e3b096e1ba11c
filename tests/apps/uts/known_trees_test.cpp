#include "apps/uts/known_trees.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace apps {
namespace {

TEST(KnownTrees, AreFoundByNameInUpperAndLowerCase) {
  ASSERT_NE(find_known_tree("T1WL"), nullptr);
  EXPECT_EQ(find_known_tree("T1WL")->nodes, 270751679750U);
  EXPECT_EQ(find_known_tree("t1wl"), find_known_tree("T1WL"));
  EXPECT_EQ(find_known_tree("Paper-Geometric")->name, "paper-geometric");
  for (const char* name : {"", "T", "T6", "T1 ", "T1LL"}) {
    EXPECT_EQ(find_known_tree(name), nullptr) << name;
  }
}

TEST(KnownTrees, AreFoundByParameters) {
  for (const KnownTree& tree : kKnownTrees) {
    TreeParameters parameters = tree.parameters;
    parameters.granularity = 7;
    ASSERT_NE(find_known_tree(parameters), nullptr) << tree.name;
    EXPECT_EQ(find_known_tree(parameters)->name, tree.name);
    parameters.seed += 1000;
    EXPECT_EQ(find_known_tree(parameters), nullptr) << tree.name;
  }
}

TEST(KnownTrees, HaveValidParametersAndNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const KnownTree& tree : kKnownTrees) {
    EXPECT_NO_THROW(tree.parameters.validate()) << tree.name;
    EXPECT_TRUE(names.insert(tree.name).second) << tree.name;
    EXPECT_NE(known_tree_names().find(tree.name), std::string::npos);
  }
}

TEST(KnownTrees, OnlyT3LEndsByLuck) {
  for (const KnownTree& tree : kKnownTrees) {
    if (tree.name == "T3L") {
      EXPECT_THROW(tree.parameters.require_finite(), std::invalid_argument);
    } else {
      EXPECT_NO_THROW(tree.parameters.require_finite()) << tree.name;
    }
  }
}

}  // namespace
}  // namespace apps
