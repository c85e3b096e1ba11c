// A communication thread whose root the test is: what it tells the protocol of its node is seen
// from what it answers.
#include "belay/inter/runtime/communication_thread.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "tests/intra/hang_guard.hpp"
#include "tests/intra/problems.hpp"

namespace belay::test {
namespace {

using testing::ElementsAre;

constexpr std::uint32_t kRun = 7;

// Rank 0 of two: says what it was given to say, refuses requests, and leads the other to the end.
class Root final : public Mailbox {
 public:
  void send(int to, Bytes bytes) override {
    EXPECT_EQ(to, 0);
    const Message message = decode(kRun, bytes).message;
    if (message.kind == MessageKind::request) {
      Message refusal;
      refusal.kind = MessageKind::refusal;
      refusal.request = message.request;
      say(refusal);
    } else if (message.kind == MessageKind::vote) {
      if (message.phase == Phase::draining) ask(Phase::leaving);
    } else {
      answers.push_back(message.kind);
    }
  }
  bool poll(const Handler& handler) override {
    if (sayings_.empty()) return false;
    const Bytes bytes = std::move(sayings_.front());
    sayings_.pop_front();
    handler(0, bytes);
    return true;
  }
  bool has_message() override { return !sayings_.empty(); }
  [[nodiscard]] bool busy() const noexcept override { return !sayings_.empty(); }

  void say(const Message& message) { sayings_.push_back(encode(kRun, message)); }
  void prefetch(std::uint64_t tasks) {
    Message message;
    message.kind = MessageKind::request;
    message.request = RequestKind::prefetch;
    message.tasks = tasks;
    say(message);
  }
  void ask(Phase phase) {
    Message message;
    message.kind = MessageKind::ask;
    message.phase = phase;
    message.edge_count = ++asks_;
    message.round = message.edge_count + 1;  // the first round needs no ask
    say(message);
  }

  std::vector<MessageKind> answers;

 private:
  std::deque<Bytes> sayings_;
  std::uint32_t asks_ = 0;
};

TEST(CommunicationThread, TellsTheProtocolHowManyTasksItsNodeHas) {
  const HangGuard guard;
  Gate gate;
  Scripted problem;
  problem.on_task = [&](int, std::vector<int>&) { gate.pass(); };
  NodeOptions node_options = options_for(1);
  node_options.has_other_nodes = true;
  Node<Scripted> node(problem, node_options);
  start(node, 1);
  put(node, std::vector<int>(16));
  gate.await(1);
  Root root;
  root.prefetch(8);
  root.prefetch(7);
  root.ask(Phase::draining);
  CommunicationOptions options;
  options.protocol.rank = 1;
  options.protocol.size = 2;
  options.run_number = kRun;
  CommunicationThread<Scripted>(problem, node, root, options).run({});
  EXPECT_THAT(root.answers, ElementsAre(MessageKind::refusal, MessageKind::loot))
      << "of 16 tasks, to who has less than half of them";
  gate.open_for_good();
}

}  // namespace
}  // namespace belay::test
