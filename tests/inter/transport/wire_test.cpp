#include "belay/inter/transport/wire.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace belay {
namespace {

std::vector<std::byte> sample() {
  Message message;
  message.kind = MessageKind::loot;
  message.request = RequestKind::lifeline;
  message.late = true;
  message.sent = 42;
  const std::vector<std::byte> payload(5, std::byte{7});
  return encode(3, message, payload);
}

TEST(Wire, WhatIsEncodedIsDecoded) {
  const auto bytes = sample();
  const WireMessage message = decode(3, bytes);
  EXPECT_EQ(message.message.kind, MessageKind::loot);
  EXPECT_EQ(message.message.request, RequestKind::lifeline);
  EXPECT_TRUE(message.message.late);
  EXPECT_EQ(message.message.sent, 42U);
  ASSERT_EQ(message.payload.size(), 5U);
  EXPECT_EQ(message.payload[4], std::byte{7});
}

TEST(Wire, ATruncatedMessageIsRefused) {
  const auto bytes = sample();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(decode(3, std::span(bytes).first(size)), std::logic_error) << size;
  }
}

TEST(Wire, AMessageOfAnotherRunIsRefused) {
  const auto bytes = sample();
  EXPECT_THROW(decode(4, bytes), std::logic_error);
}

TEST(Wire, AMessageOfAnotherProgramOrKindIsRefused) {
  auto bytes = sample();
  bytes[0] ^= std::byte{1};
  EXPECT_THROW(decode(3, bytes), std::logic_error);
  bytes = sample();
  bytes[offsetof(WireHeader, message) + offsetof(Message, kind)] = std::byte{kMessageKinds};
  EXPECT_THROW(decode(3, bytes), std::logic_error);
  bytes = sample();
  bytes[offsetof(WireHeader, message) + offsetof(Message, request)] = std::byte{kRequestKinds};
  EXPECT_THROW(decode(3, bytes), std::logic_error);
}

}  // namespace
}  // namespace belay
