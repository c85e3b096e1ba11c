// SHA-1 of the short messages of UTS: the random numbers that make its trees.
//
// The state of a node is the digest of its parent's state and its index among its siblings, 24
// bytes; that of the root is the digest of 16 zero bytes and the seed. Padded, each message
// fills one block of 64 bytes, so that a hash is one call of the compression function. States
// keep their words in host order, as the compression leaves them; indices and the seed enter
// the message big-endian.
//
// Source: FIPS 180-4, sections 5.1.1 and 6.1; UTS: Olivier, Huan, Liu, Prins, Dinan, Sadayappan
// and Tseng, LCPC 2006, 10.1007/978-3-540-72521-3_18.
#pragma once

#include <array>
#include <cstdint>

namespace apps {

using State = std::array<std::uint32_t, 5>;

// The 31 bits of a state that decide how many children its node has.
[[nodiscard]] constexpr std::uint32_t random_bits(const State& state) noexcept {
  return state[4] & 0x7fffffffU;
}

[[nodiscard]] State root_state(std::uint32_t seed) noexcept;

// Writes the states of the children first, ..., first + count - 1 of one node.
using HashChildren = void (*)(const State& parent, std::uint32_t first, std::uint32_t count,
                              State* children);

// Kernels: OpenSSL everywhere, and the reference; SHA-NI on x86 processors that have the SHA
// instructions, which hashes siblings in interleaved streams.
enum class HashKernel : std::uint8_t { automatic, openssl, sha_ni };

// automatic: SHA-NI where the processor has it. Throws std::invalid_argument if the processor
// lacks what is asked for.
[[nodiscard]] HashChildren hash_children(HashKernel kernel);

// What `automatic` stands for on this processor; other kernels stand for themselves.
[[nodiscard]] HashKernel effective_kernel(HashKernel kernel) noexcept;

}  // namespace apps
