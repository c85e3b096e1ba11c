#include "bench/sim/message_costs.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "belay/inter/protocol/engine.hpp"
#include "belay/inter/runtime/run.hpp"
#include "belay/inter/transport/exchange.hpp"
#include "belay/inter/transport/mailbox.hpp"
#include "belay/inter/transport/wire.hpp"
#include "belay/intra/clock.hpp"
#include "belay/intra/doorbell.hpp"
#include "bench/experiments/processor_time.hpp"
#include "bench/median.hpp"

namespace bench {

namespace {

constexpr int kMessages = 1000;  // per round
constexpr int kLarge = 20;       // of them
constexpr int kLooks = 200;
constexpr std::size_t kSmallBytes = sizeof(belay::WireHeader);
constexpr std::size_t kLargeBytes = std::size_t{1} << 20U;

// One rank's end of the line between two.
struct End {
  belay::Mailbox* mailbox;
  int rank;
  std::uint32_t run;
};

void await(belay::Mailbox& mailbox) {
  while (!mailbox.poll([](int, std::span<const std::byte>) {})) std::this_thread::yield();
}

// On rank 0 how long messages of so many bytes and small answers took, in ns. Collective.
std::vector<double> round_trips(const End& end, std::size_t bytes, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    if (end.rank == 0) {
      belay::Mailbox::Bytes message(bytes);
      const std::int64_t sent_ns = belay::now_ns();
      end.mailbox->send(1, std::move(message));
      await(*end.mailbox);
      times.push_back(static_cast<double>(belay::now_ns() - sent_ns));
    } else {
      await(*end.mailbox);
      end.mailbox->send(0, belay::Mailbox::Bytes(kSmallBytes));
    }
  }
  return times;
}

// What a communication thread does at each look, for a node whose workers are busy.
class Looks {
 public:
  Looks(const End& end, const belay::ProtocolOptions& options)
      : end_(end), surplus_(options.prefetch_below), engine_(options) {}

  // Returns how many messages it found and handled.
  int poll() {
    int found = 0;
    end_.mailbox->poll([&](int from, std::span<const std::byte> bytes) {
      ++found;
      receive(from, bytes);
    });
    return found;
  }

  void look() {
    poll();
    engine_.handle_local({.surplus = surplus_, .now_ns = belay::now_ns()}, actions_);
    perform();
  }

 private:
  void receive(int from, std::span<const std::byte> bytes) {
    const auto incoming = belay::decode(end_.run, bytes);
    engine_.handle_message(from, incoming.message, {.now_ns = belay::now_ns()}, actions_);
    perform();
  }

  void perform() {
    for (const belay::Action& action : actions_) {
      if (const auto* send = std::get_if<belay::Send>(&action)) {
        end_.mailbox->send(send->to, belay::encode(end_.run, send->message));
      }
    }
    actions_.clear();
  }

  End end_;
  std::uint32_t surplus_;  // enough to ask nobody
  belay::Engine engine_;
  belay::Actions actions_;
};

double look_ns(Looks& looks, int rounds) {
  constexpr std::chrono::microseconds kSleep{100};
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    belay::Doorbell nobody_rings;
    const double before = processor_seconds();
    for (int j = 0; j < kLooks; ++j) {
      nobody_rings.wait_for(kSleep);
      looks.look();
    }
    times.push_back(1e9 * (processor_seconds() - before) / kLooks);
  }
  return median(times);
}

// What a poll that finds one request takes beyond one that finds none, or nothing where a busy
// machine has it the other way round. Collective.
double service_ns(const End& end, Looks& looks, int count) {
  // Rank 0 says that it has received all that came before, where a request would be lost.
  if (end.rank != 0) {
    await(*end.mailbox);
    for (int i = 0; i < count; ++i) {
      const belay::Message request{.kind = belay::MessageKind::request, .thief = end.rank};
      end.mailbox->send(0, belay::encode(end.run, request));
      await(*end.mailbox);
    }
    return 0;
  }
  end.mailbox->send(1, belay::Mailbox::Bytes(kSmallBytes));
  std::vector<double> one;
  std::vector<double> none;
  while (count > 0) {
    const std::int64_t start_ns = belay::now_ns();
    const int found = looks.poll();
    const auto time_ns = static_cast<double>(belay::now_ns() - start_ns);
    count -= found;  // two, where the next request is as quick as the answer to the last one
    if (found == 0) none.push_back(time_ns);
    if (found == 1) one.push_back(time_ns);
    std::this_thread::yield();
  }
  return std::max(0.0, median(one) - median(none));
}

}  // namespace

MessageCosts message_costs(belay::Session& session, const belay::Parameters& parameters,
                           int rounds) {
  const belay::Session::Hold hold(session);
  const auto mailbox = session.ranks().mailbox(hold.run_number(), belay::Ranks::Purpose::protocol);
  const End end{mailbox.get(), session.rank(), hold.run_number()};
  MessageCosts costs;
  session.or_abort([&] {
    const std::vector<double> small = round_trips(end, kSmallBytes, rounds * kMessages);
    const std::vector<double> large = round_trips(end, kLargeBytes, rounds * kLarge);
    const int workers = belay::detail::node_options(session, parameters).workers;
    Looks looks(end, belay::protocol_options(parameters, session.rank(), session.size(), workers));
    costs.service_ns = service_ns(end, looks, rounds * kMessages);
    belay::finish_sends(*mailbox);  // no sooner: what it receives is lost
    if (session.rank() != 0) return;
    costs.look_ns = look_ns(looks, rounds);
    costs.latency_ns = median(small) / 2;
    costs.latency_p10_ns = quantile(small, 0.1) / 2;
    costs.latency_p90_ns = quantile(small, 0.9) / 2;
    // On a busy machine a small message may take as long as a large one.
    const double bytes_ns = std::max(median(large) - median(small), median(large) / 2);
    costs.bandwidth_gb_per_s = static_cast<double>(kLargeBytes) / bytes_ns;
  });
  return costs;
}

}  // namespace bench
