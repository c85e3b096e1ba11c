#include "belay/inter/runtime/clock_of_root.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "belay/core/packing.hpp"
#include "belay/inter/transport/exchange.hpp"
#include "belay/intra/clock.hpp"

namespace belay {

namespace {

constexpr int kQuestions = 16;

void answer_others(Mailbox& mailbox, int size) {
  for (int rank = 1; rank < size; ++rank) {
    mailbox.send(rank, {});  // its turn
    for (int i = 0; i < kQuestions; ++i) {
      receive(mailbox, 1);
      Packer packer;
      packer.put(now_ns());
      mailbox.send(rank, packer.take());
    }
  }
}

ClockReading ask_root(Mailbox& mailbox) {
  receive(mailbox, 1);
  ClockReading best{.error_ns = std::numeric_limits<std::int64_t>::max()};
  for (int i = 0; i < kQuestions; ++i) {
    const std::int64_t asked_ns = now_ns();
    mailbox.send(0, {});
    const Letter answer = receive(mailbox, 1).front();
    const std::int64_t half_ns = (now_ns() - asked_ns + 1) / 2;
    if (half_ns >= best.error_ns) continue;
    const auto root_ns = Unpacker(answer.bytes).get<std::int64_t>();
    best = {asked_ns + half_ns, asked_ns + half_ns - root_ns, half_ns};
  }
  return best;
}

}  // namespace

ClockReading read_clock_of_root(Mailbox& mailbox, int rank, int size) {
  ClockReading reading{.at_ns = now_ns()};
  if (rank == 0) {
    answer_others(mailbox, size);
  } else {
    reading = ask_root(mailbox);
  }
  finish_sends(mailbox);
  return reading;
}

}  // namespace belay
