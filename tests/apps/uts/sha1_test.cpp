#include "apps/uts/sha1.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

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

// Every kernel that this processor can run.
std::vector<HashKernel> kernels() {
  std::vector<HashKernel> all{HashKernel::openssl};
  if (effective_kernel(HashKernel::automatic) == HashKernel::sha_ni) {
    all.push_back(HashKernel::sha_ni);
  }
  return all;
}

TEST(Sha1, ChildStatesAreTheDigestsOfParentAndIndexWithEveryKernel) {
  std::mt19937 random(2);
  for (const HashKernel kernel : kernels()) {
    const HashChildren hash = hash_children(kernel);
    for (int i = 0; i < 3000; ++i) {
      State parent{};
      for (auto& word : parent) word = static_cast<std::uint32_t>(random());
      const auto first = i % 3 == 0 ? 0U : static_cast<std::uint32_t>(random());
      const auto count = static_cast<std::uint32_t>(i % 12);
      std::array<State, 13> children{};
      hash(parent, first, count, children.data());
      for (std::uint32_t child = 0; child < count; ++child) {
        ASSERT_EQ(bytes(children[child]), naive::child_digest(bytes(parent), first + child));
      }
      ASSERT_EQ(children[count], State{}) << "wrote beyond the last child";
    }
  }
}

TEST(Sha1, KernelsAgreeOnMillionsOfRandomParents) {
  const HashChildren fastest = hash_children(kernels().back());
  std::mt19937 random(3);
  std::array<State, 8> expected{};
  std::array<State, 8> actual{};
  State parent{};
  for (int i = 0; i < 300'000; ++i) {
    for (auto& word : parent) word = static_cast<std::uint32_t>(random());
    const auto first = static_cast<std::uint32_t>(random());
    hash_children(HashKernel::openssl)(parent, first, 8, expected.data());
    fastest(parent, first, 8, actual.data());
    ASSERT_EQ(actual, expected);
  }
}

TEST(Sha1, RandomBitsAreTheLast31) {
  EXPECT_EQ(random_bits({0, 0, 0, 0, 0xffffffffU}), 0x7fffffffU);
  EXPECT_EQ(random_bits({1, 2, 3, 4, 0x80000005U}), 5U);
}

}  // namespace
}  // namespace apps
