// SHA1_Transform on a padded block takes 56 ns, SHA1_Update and SHA1_Final 67, EVP 115. OpenSSL
// 3 deprecates everything but EVP, hence the API level for this one file.
#define OPENSSL_API_COMPAT 0x10100000L

#include "apps/uts/sha1.hpp"

#include <openssl/sha.h>

#include <cstddef>
#include <stdexcept>

#include "apps/uts/sha1_sha_ni.hpp"

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

namespace {

void hash_children_openssl(const State& parent, std::uint32_t first, std::uint32_t count,
                           State* children) {
  Block block{};
  for (std::size_t i = 0; i < parent.size(); ++i) put(block, 4 * i, parent[i]);
  pad(block, 24);
  for (std::uint32_t i = 0; i < count; ++i) {
    put(block, 20, first + i);
    children[i] = compress(block);
  }
}

}  // namespace

HashKernel effective_kernel(HashKernel kernel) noexcept {
  if (kernel != HashKernel::automatic) return kernel;
  return hash_children_sha_ni() != nullptr ? HashKernel::sha_ni : HashKernel::openssl;
}

HashChildren hash_children(HashKernel kernel) {
  if (effective_kernel(kernel) == HashKernel::openssl) return hash_children_openssl;
  if (hash_children_sha_ni() == nullptr) {
    throw std::invalid_argument("this processor has no SHA instructions, which sha-ni needs");
  }
  return hash_children_sha_ni();
}

}  // namespace apps
