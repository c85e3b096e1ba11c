// Ranks: the processes of a session, and what it needs of them besides the messages of a run.
//
// Calls are collective over the ranks unless said otherwise.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "belay/inter/transport/mailbox.hpp"

namespace belay {

class Ranks {
 public:
  Ranks() = default;
  virtual ~Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  // Not collective.
  [[nodiscard]] virtual int rank() const noexcept = 0;
  [[nodiscard]] virtual int size() const noexcept = 0;
  [[nodiscard]] virtual std::string host() const = 0;

  // Rank 0's bytes on every rank.
  virtual void broadcast(std::vector<std::byte>& bytes) = 0;

  // The largest of the ranks' values, on every rank.
  virtual int largest(int value) = 0;

  // What the ranks of this host say, and which of them is this one.
  using Word = std::array<std::uint64_t, 2>;
  struct HostMates {
    std::vector<Word> words;
    std::size_t mine = 0;
  };
  virtual HostMates gather_on_host(const Word& mine) = 0;

  // May threads other than the caller of run() look for messages? Not collective.
  [[nodiscard]] virtual bool any_thread_may_call() const noexcept = 0;

  // Throws std::logic_error if the calling thread may not call run(). Not collective.
  virtual void check_caller() const = 0;

  // For one of the session's runs, which all ranks count alike, and one of its purposes. Not
  // collective.
  enum class Purpose : std::uint8_t { protocol, collect, clocks, progress };
  static constexpr std::uint32_t kPurposes = 4;
  [[nodiscard]] virtual std::unique_ptr<Mailbox> mailbox(std::uint32_t run, Purpose purpose) = 0;

  // Has the program end on all ranks, now. Not collective.
  virtual void abort() noexcept = 0;
};

}  // namespace belay
