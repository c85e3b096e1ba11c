// SHA1_Transform on a padded block takes 56 ns, SHA1_Update and SHA1_Final 67, EVP 115. OpenSSL
// 3 deprecates everything but EVP, hence the API level for this one file.
#define OPENSSL_API_COMPAT 0x10100000L

#include "apps/uts/sha1.hpp"

#include <openssl/sha.h>

#include <cstddef>

namespace apps {

namespace {

using Block = std::array<unsigned char, 64>;

void put(Block& block, std::size_t at, std::uint32_t word) noexcept {
  for (std::size_t i = 0; i < 4; ++i) {
    block[at + i] = static_cast<unsigned char>(word >> (24 - 8 * i));
  }
}

// What follows a message of fewer than 32 bytes: a one bit, zeros, the length in bits.
void pad(Block& block, std::size_t bytes) noexcept {
  block[bytes] = 0x80;
  block[63] = static_cast<unsigned char>(8 * bytes);
}

State compress(const Block& block) noexcept {
  SHA_CTX context;
  SHA1_Init(&context);
  SHA1_Transform(&context, block.data());
  return {context.h0, context.h1, context.h2, context.h3, context.h4};
}

}  // namespace

State root_state(std::uint32_t seed) noexcept {
  Block block{};
  put(block, 16, seed);
  pad(block, 20);
  return compress(block);
}

ChildStates::ChildStates(const State& parent) noexcept {
  for (std::size_t i = 0; i < parent.size(); ++i) put(block_, 4 * i, parent[i]);
  pad(block_, 24);
}

State ChildStates::operator()(std::uint32_t index) noexcept {
  put(block_, 20, index);
  return compress(block_);
}

}  // namespace apps
