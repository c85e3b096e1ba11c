// Alone: a process that is the only rank.
#pragma once

#include "belay/inter/transport/ranks.hpp"

namespace belay {

class Alone final : public Ranks {
 public:
  [[nodiscard]] int rank() const noexcept override { return 0; }
  [[nodiscard]] int size() const noexcept override { return 1; }
  [[nodiscard]] std::string host() const override;
  void broadcast(std::vector<std::byte>& /*bytes*/) override {}
  int largest(int value) override { return value; }
  HostMates gather_on_host(const Word& mine) override { return {{mine}, 0}; }
  [[nodiscard]] bool any_thread_may_call() const noexcept override { return true; }
  void check_caller() const override {}
  [[nodiscard]] std::unique_ptr<Mailbox> mailbox(std::uint32_t run, Purpose purpose) override;
  void abort() noexcept override {}
};

}  // namespace belay
