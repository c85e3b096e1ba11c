#include "apps/uts/sha1.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "tests/apps/uts/naive_uts.hpp"

namespace apps {
namespace {

naive::Digest bytes(const State& state) {
  std::vector<unsigned char> all;
  for (const std::uint32_t word : state) naive::append_big_endian(all, word);
  naive::Digest digest{};
  std::ranges::copy(all, digest.begin());
  return digest;
}

TEST(Sha1, RootStatesAreTheDigestsOfTheirSeeds) {
  std::mt19937 random(1);
  for (const std::uint32_t seed : {0U, 1U, 19U, 0x7fffffffU, 0xffffffffU}) {
    EXPECT_EQ(bytes(root_state(seed)), naive::root_digest(seed));
  }
  for (int i = 0; i < 5000; ++i) {
    const auto seed = static_cast<std::uint32_t>(random());
    ASSERT_EQ(bytes(root_state(seed)), naive::root_digest(seed)) << seed;
  }
}

TEST(Sha1, ChildStatesAreTheDigestsOfParentAndIndex) {
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    State parent{};
    for (auto& word : parent) word = static_cast<std::uint32_t>(random());
    ChildStates states(parent);
    // Several from one block, not in order: no child may depend on the one before.
    for (const std::uint32_t index : {7U, 0U, static_cast<std::uint32_t>(random()), 0xffffffffU}) {
      ASSERT_EQ(bytes(states(index)), naive::child_digest(bytes(parent), index));
    }
  }
}

TEST(Sha1, RandomBitsAreTheLast31) {
  EXPECT_EQ(random_bits({0, 0, 0, 0, 0xffffffffU}), 0x7fffffffU);
  EXPECT_EQ(random_bits({1, 2, 3, 4, 0x80000005U}), 5U);
}

}  // namespace
}  // namespace apps
