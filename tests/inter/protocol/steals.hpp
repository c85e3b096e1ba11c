// One node's steal protocol under test, and what its host tells it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "belay/inter/protocol/steal_protocol.hpp"

namespace belay::test {

inline constexpr LocalState kIdle{0, true, true};
inline constexpr LocalState kHungry{0, true, false};  // one worker is busy
inline constexpr LocalState kBusy{0, false, false};   // private work alone

inline LocalState surplus(std::uint32_t chunks) { return {chunks, false, false, chunks}; }

inline ProtocolOptions options(int rank, int size) {
  ProtocolOptions all;
  all.rank = rank;
  all.size = size;
  all.prefetch = Prefetch::off;
  return all;
}

// One node under test; what it sends is read back.
struct Fixture {
  explicit Fixture(const ProtocolOptions& options) : steals(options) {}
  Fixture(const ProtocolOptions& options, std::unique_ptr<Policy> policy)
      : steals(options, std::move(policy)) {}

  void local(const LocalState& state) { steals.handle_local(state, actions); }
  void request(int thief, RequestKind kind, const LocalState& state, std::uint32_t hops = 0,
               std::uint64_t tasks = 0) {
    Message message;
    message.request = kind;
    message.thief = thief;
    message.hops = hops;
    message.tasks = tasks;
    steals.handle_request(message, state, actions);
  }
  void refuse(RequestKind kind, int by = 1) {
    Message message;
    message.kind = MessageKind::refusal;
    message.request = kind;
    steals.handle_refusal(by, message);
  }
  void loot(int from, RequestKind kind, bool late) {
    Message message;
    message.kind = MessageKind::loot;
    message.request = kind;
    message.late = late;
    steals.handle_loot(from, message);
  }

  std::vector<Send> sends() {
    std::vector<Send> all;
    for (const Action& action : actions) {
      if (const auto* send = std::get_if<Send>(&action)) all.push_back(*send);
    }
    return all;
  }
  std::vector<Give> gives() {
    std::vector<Give> all;
    for (const Action& action : actions) {
      if (const auto* give = std::get_if<Give>(&action)) all.push_back(*give);
    }
    return all;
  }
  // The one message sent since the last call.
  Send sent() {
    const auto all = sends();
    EXPECT_EQ(all.size(), 1U);
    actions.clear();
    return all.empty() ? Send{} : all.front();
  }

  StealProtocol steals;
  Actions actions;
};

}  // namespace belay::test
