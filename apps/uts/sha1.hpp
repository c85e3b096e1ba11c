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

// The states of one node's children. The block is padded once for all siblings; only the
// index changes.
class ChildStates {
 public:
  explicit ChildStates(const State& parent) noexcept;

  State operator()(std::uint32_t index) noexcept;

 private:
  std::array<unsigned char, 64> block_{};
};

}  // namespace apps
