#include "belay/inter/runtime/collect.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "belay/core/errors.hpp"
#include "belay/core/packing.hpp"
#include "belay/inter/transport/exchange.hpp"

namespace belay {

namespace {

using Bytes = std::vector<std::byte>;

void put_trace(Packer& packer, const RankTrace& trace) {
  packer.put(trace.start_ns);
  packer.put(trace.first);
  packer.put(trace.last);
  packer.put(static_cast<std::uint64_t>(trace.threads.size()));
  for (const ThreadTrace& thread : trace.threads) {
    packer.put(thread.events);
    packer.put(thread.dropped);
  }
}

RankTrace get_trace(Unpacker& unpacker) {
  RankTrace trace;
  trace.start_ns = unpacker.get<std::int64_t>();
  trace.first = unpacker.get<ClockReading>();
  trace.last = unpacker.get<ClockReading>();
  trace.threads.resize(unpacker.get<std::uint64_t>());
  for (ThreadTrace& thread : trace.threads) {
    thread.events = unpacker.get<std::vector<TraceEvent>>();
    thread.dropped = unpacker.get<std::uint64_t>();
  }
  return trace;
}

void put_statistics(Packer& packer, const std::vector<RankStatistics>& all) {
  packer.put(static_cast<std::uint64_t>(all.size()));
  for (const RankStatistics& one : all) {
    packer.put(one.rank);
    packer.put(one.host);
    packer.put(one.seconds);
    packer.put(one.workers);
    packer.put(one.communication);
    packer.put(one.life_story);
    packer.put(one.tasks_stolen);
    packer.put(one.loot_from);
    put_trace(packer, one.trace);
  }
}

std::vector<RankStatistics> get_statistics(Unpacker& unpacker) {
  std::vector<RankStatistics> all(unpacker.get<std::uint64_t>());
  for (RankStatistics& one : all) {
    one.rank = unpacker.get<int>();
    one.host = unpacker.get<std::string>();
    one.seconds = unpacker.get<double>();
    one.workers = unpacker.get<std::vector<WorkerStatistics>>();
    one.communication = unpacker.get<CommunicationStatistics>();
    one.life_story = unpacker.get<LifeStory>();
    one.tasks_stolen = unpacker.get<std::vector<std::uint64_t>>();
    one.loot_from = unpacker.get<std::vector<TasksFrom>>();
    one.trace = get_trace(unpacker);
  }
  return all;
}

void put_failure(Packer& packer, const std::optional<Failure>& failure) {
  packer.put(failure ? failure->rank : -1);
  packer.put(failure ? failure->message : std::string());
}

std::optional<Failure> get_failure(Unpacker& unpacker) {
  Failure failure;
  failure.rank = unpacker.get<int>();
  failure.message = unpacker.get<std::string>();
  if (failure.rank < 0) return std::nullopt;
  return failure;
}

void keep_lowest(std::optional<Failure>& kept, std::optional<Failure>&& other) {
  if (other && (!kept || other->rank < kept->rank)) kept = std::move(other);
}

// The ranks below and above in the tree, and the traffic with them.
class Tree {
 public:
  Tree(Mailbox& mailbox, int rank, int size) : mailbox_(&mailbox), rank_(rank), size_(size) {}

  [[nodiscard]] bool is_root() const { return rank_ == 0; }

  void send_up(Bytes bytes) { mailbox_->send((rank_ - 1) / 2, std::move(bytes)); }

  void send_down(const Bytes& bytes) {
    for (int child = first_child(); child < end_child(); ++child) mailbox_->send(child, bytes);
  }

  // From each child; from the parent (never both at once in this protocol).
  std::vector<Letter> receive_up() {
    return receive(*mailbox_, static_cast<std::size_t>(std::max(0, end_child() - first_child())));
  }
  Bytes receive_down() { return std::move(receive(*mailbox_, 1).front().bytes); }

 private:
  [[nodiscard]] int first_child() const { return 2 * rank_ + 1; }
  [[nodiscard]] int end_child() const { return std::min(2 * rank_ + 3, size_); }

  Mailbox* mailbox_;
  int rank_;
  int size_;
};

// Runs a piece of user code unless there is a failure already; makes one of an exception.
template <class Call>
void guarded(std::optional<Failure>& failure, int rank, Call&& call) {
  if (failure) return;
  try {
    call();
  } catch (...) {
    failure = Failure{rank, describe_current_exception()};
  }
}

// Of the failures that the ranks know of, all learn the lowest rank's.
void agree_on_failure(Tree& tree, std::optional<Failure>& failure) {
  for (const Letter& letter : tree.receive_up()) {
    Unpacker unpacker(letter.bytes);
    keep_lowest(failure, get_failure(unpacker));
  }
  Packer packer;
  put_failure(packer, failure);
  if (tree.is_root()) {
    tree.send_down(packer.take());
  } else {
    tree.send_up(packer.take());
    const Bytes whole = tree.receive_down();
    tree.send_down(whole);
    Unpacker unpacker(whole);
    failure = get_failure(unpacker);
  }
}

}  // namespace

void collect(Mailbox& mailbox, int rank, int size, Harvest& harvest, const ResultCalls& calls,
             ResultAt where) {
  Tree tree(mailbox, rank, size);
  for (const Letter& letter : tree.receive_up()) {
    Unpacker unpacker(letter.bytes);
    keep_lowest(harvest.failure, get_failure(unpacker));
    auto statistics = get_statistics(unpacker);
    std::move(statistics.begin(), statistics.end(), std::back_inserter(harvest.statistics));
    const auto result = unpacker.get_all<std::byte>();
    guarded(harvest.failure, rank, [&] { calls.fold(result); });
  }
  Bytes result;
  guarded(harvest.failure, rank, [&] { result = calls.pack(); });
  bool known = harvest.failure.has_value();

  if (!tree.is_root()) {
    Packer up;
    put_failure(up, harvest.failure);
    put_statistics(up, harvest.statistics);
    up.put_all(std::span<const std::byte>(result));
    tree.send_up(up.take());
    harvest.statistics.resize(1);  // its own came first
    const Bytes whole = tree.receive_down();
    tree.send_down(whole);
    Unpacker unpacker(whole);
    harvest.failure = get_failure(unpacker);
    known = harvest.failure.has_value();
    result = unpacker.get_all<std::byte>();
    if (where == ResultAt::every_rank) {
      guarded(harvest.failure, rank, [&] { calls.adopt(result); });
    }
  } else {
    Packer down;
    put_failure(down, harvest.failure);
    if (where == ResultAt::root) result.clear();
    down.put_all(std::span<const std::byte>(result));
    tree.send_down(down.take());
    std::sort(harvest.statistics.begin(), harvest.statistics.end(),
              [](const auto& a, const auto& b) { return a.rank < b.rank; });
  }
  // Adopting may have failed; a failure from before, all ranks know of.
  if (where == ResultAt::every_rank && calls.adopting_may_fail && !known) {
    agree_on_failure(tree, harvest.failure);
  }
  finish_sends(mailbox);
}

}  // namespace belay
