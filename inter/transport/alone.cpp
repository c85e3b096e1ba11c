#include "belay/inter/transport/alone.hpp"

#include <unistd.h>

#include <array>

#include "belay/core/errors.hpp"

namespace belay {

namespace {

// There is nobody to write to.
class EmptyMailbox final : public Mailbox {
 public:
  void send(int to, Bytes /*bytes*/) override { BELAY_CHECK(false, to); }
  bool poll(const Handler& /*handler*/) override { return false; }
  bool has_message() override { return false; }
  [[nodiscard]] bool busy() const noexcept override { return false; }
};

}  // namespace

std::string Alone::host() const {
  std::array<char, 256> name{};
  // A name that is too long is cut, and need not end with a zero then.
  if (gethostname(name.data(), name.size() - 1) != 0) return "localhost";
  return name.data();
}

std::unique_ptr<Mailbox> Alone::mailbox(std::uint32_t /*run*/, Purpose /*purpose*/) {
  return std::make_unique<EmptyMailbox>();
}

}  // namespace belay
