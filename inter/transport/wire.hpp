// The wire format of protocol messages: a fixed header, then the payload of loot.
//
// All ranks run the same binary on the same kind of machine, so the header travels as its
// bytes. What arrives is checked: a message of another program, another run or another length
// throws std::logic_error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "belay/core/errors.hpp"
#include "belay/inter/protocol/message.hpp"

namespace belay {

struct WireHeader {
  std::uint32_t magic = 0;
  std::uint32_t run = 0;
  std::uint64_t payload_bytes = 0;
  Message message;
};
inline constexpr std::uint32_t kWireMagic = 0x424c5901;  // "BLY", version 1

struct WireMessage {
  Message message;
  std::span<const std::byte> payload;
};

inline std::vector<std::byte> encode(std::uint32_t run, const Message& message,
                                     std::span<const std::byte> payload = {}) {
  const WireHeader header{kWireMagic, run, payload.size(), message};
  std::vector<std::byte> bytes(sizeof header + payload.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  if (!payload.empty()) {
    std::memcpy(bytes.data() + sizeof header, payload.data(), payload.size());
  }
  return bytes;
}

// The payload points into `bytes`.
inline WireMessage decode(std::uint32_t run, std::span<const std::byte> bytes) {
  WireHeader header;
  BELAY_CHECK(bytes.size() >= sizeof header, bytes.size());
  std::memcpy(&header, bytes.data(), sizeof header);
  const auto payload = bytes.subspan(sizeof header);
  BELAY_CHECK(header.magic == kWireMagic, header.magic);
  BELAY_CHECK(header.run == run, header.run, run);
  BELAY_CHECK(header.payload_bytes == payload.size(), header.payload_bytes, payload.size());
  const auto kind = static_cast<unsigned>(header.message.kind);
  BELAY_CHECK(kind < kMessageKinds, kind);
  const auto request = static_cast<unsigned>(header.message.request);
  BELAY_CHECK(request < kRequestKinds, request);
  return {header.message, payload};
}

}  // namespace belay
