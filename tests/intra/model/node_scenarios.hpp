// What is explored of a whole node: its real communication side, workers and threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "tests/intra/model/explore.hpp"
// With the model's atomics and threads:
#include "belay/intra/node.hpp"

namespace belay::model {

// Closed until it is opened; says nothing of what was done before that.
class Gate {
 public:
  void open() {
    open_.store(1, std::memory_order_relaxed);
    futex_wake(open_, kWakeAll);
  }
  void pass() {
    while (open_.load(std::memory_order_relaxed) == 0) futex_wait(open_, 0);
  }

 private:
  std::atomic<std::uint32_t> open_{0};
};

// Tasks that are all alike. Their number is what a thief must see right.
class CountingBag {
 public:
  explicit CountingBag(int tasks = 0) : tasks_(tasks) {}
  CountingBag(CountingBag&& other) noexcept : tasks_(other.give(other.tasks_.get())) {}
  CountingBag& operator=(CountingBag&& other) noexcept {
    tasks_.set(other.give(other.tasks_.get()));
    return *this;
  }
  ~CountingBag() = default;

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(tasks_.get()); }
  int give(int tasks) {
    tasks_.set(tasks_.get() - tasks);
    return tasks;
  }
  void receive(int tasks) { tasks_.set(tasks_.get() + tasks); }

 private:
  Plain<int> tasks_;
};

// The result is the number of tasks processed.
class Counting {
 public:
  using Bag = CountingBag;
  using Result = int;

  // before: called before each quantum.
  explicit Counting(std::function<void()> before = [] {}) : before_(std::move(before)) {}

  [[nodiscard]] Bag empty_bag() const { return Bag(); }
  [[nodiscard]] int identity() const { return 0; }
  void process(Bag& bag, int& result, Quantum& quantum) const {
    before_();
    while (bag.size() > 0 && quantum.take()) result += bag.give(1);
  }
  [[nodiscard]] Bag split(Bag& bag, Share share) const {
    return Bag(bag.give(static_cast<int>(share.of(bag.size()))));
  }
  void merge(Bag& into, Bag&& from) const {
    into.receive(from.give(static_cast<int>(from.size())));
  }
  void pack(const Bag& /*bag*/, Packer& /*packer*/) const {}
  [[nodiscard]] Bag unpack(Unpacker& /*unpacker*/) const { return Bag(); }
  static void reduce(int& into, int&& from) { into += from; }

 private:
  std::function<void()> before_;
};

inline NodeOptions node_options(int workers) {
  NodeOptions options;
  options.workers = workers;
  options.chunks_shown = 1;
  options.quantum = 1;
  options.spin = false;
  options.has_other_nodes = true;
  return options;
}

// A node of Counting, from its start to its result. The one thread that a scenario begins with
// is the communication thread.
template <int Workers>
class NodeScenario {
 public:
  static constexpr int kThreads = 1;
  static constexpr int kStarts = Workers;
  void check() {}

 protected:
  explicit NodeScenario(std::function<void()> before = [] {}) : problem_(std::move(before)) {}

  // With so many tasks on the communication thread's deque.
  void start(int tasks) {
    node_.start([](int) {}, &robbing_order);
    std::vector<CountingBag> work;
    work.emplace_back(tasks);
    node_.put(std::move(work));
  }
  // The tasks that the workers processed.
  int finish() {
    while (!node_.idle()) node_.doorbell().wait_for(std::nullopt);
    node_.end();
    node_.join();
    return node_.result();
  }
  Node<Counting>& node() { return node_; }

 private:
  // The other workers, then the communication thread.
  static std::vector<std::size_t> robbing_order(int worker) {
    std::vector<std::size_t> posts;
    for (int i = 1; i < Workers; ++i) {
      posts.push_back(static_cast<std::size_t>((worker + i) % Workers));
    }
    posts.push_back(Workers);
    return posts;
  }

  Counting problem_;
  Node<Counting> node_{problem_, node_options(Workers)};
};

// A whole run.
template <int Workers>
class WholeRun : public NodeScenario<Workers> {
 public:
  void run(std::size_t /*index*/) {
    constexpr int kTasks = 4;
    this->start(kTasks);
    require(this->finish() == kTasks, "a run ends before everything is done");
  }
};

// The communication thread wants surplus and sleeps, and the worker does nothing more once it
// has published until the surplus is taken: a lost ring is a deadlock.
class SurplusWanted : public NodeScenario<1> {
 public:
  SurplusWanted() : NodeScenario([this] { surplus_is_taken_.pass(); }) {}

  void run(std::size_t /*index*/) {
    start(2);
    node().want_surplus(true);
    while (node().surplus() == 0) node().doorbell().wait_for(std::nullopt);
    const std::vector<CountingBag> taken = node().take(1);
    require(taken.size() == 1 && taken.front().size() == 1, "surplus is not what was published");
    surplus_is_taken_.open();
    require(finish() == 1, "a task that was taken away is done at home too");
  }

 private:
  Gate surplus_is_taken_;
};

// A problem that never ends, and says when a quantum begins that should be a short one.
class Endless : public Counting {
 public:
  // A flag that is raised is seen within a quantum, even if each look may see an old value.
  static constexpr std::uint32_t kQuantum = 32;

  // short_one: is the quantum that begins to end before it has run to its full length?
  explicit Endless(std::function<bool()> short_one) : short_one_(std::move(short_one)) {}

  void process(Bag& /*bag*/, int& /*result*/, Quantum& quantum) const {
    const bool short_one = short_one_();
    while (quantum.take()) {
    }
    require(!short_one || quantum.taken() < kQuantum, "a worker is not reached");
  }

  static NodeOptions options(int workers) {
    NodeOptions options = node_options(workers);
    options.quantum = kQuantum;
    return options;
  }

 private:
  std::function<bool()> short_one_;
};

// A busy worker, a thread that beckons it, and the end.
class EndBetweenTasks {
 public:
  static constexpr int kThreads = 3;
  static constexpr int kStarts = 0;

  void run(std::size_t index) {
    if (index == 0) {
      chunks_.push(make_chunk(CountingBag(1)));
      Worker<Endless>(shared_, 0, {}).run();
    } else if (index == 1) {
      shared_.beckon(0);
    } else {
      shared_.end();
      ended_ = true;
    }
  }
  void check() {}

 private:
  bool ended_ = false;
  Endless problem_{[this] { return ended_; }};
  NodeShared<Endless> shared_{problem_, Endless::options(1)};
  ChaseLevDeque<Chunk<CountingBag>>::Owner chunks_{shared_.posts[0].deque};
};

// A busy worker that has nothing to spare, one that beckons it and falls asleep, and a thread
// that beckons it for nothing. Once the other one is asleep, the busy one looks after each task
// whether it can spare one, whoever raised the flag.
class SleepBesideABusyWorker {
 public:
  static constexpr int kThreads = 3;
  static constexpr int kStarts = 0;

  void run(std::size_t index) {
    if (index == 0) {
      chunks_.push(make_chunk(CountingBag(1)));
      Worker<Endless>(shared_, 0, {}).run();
    } else if (index == 1) {
      busy_.pass();
      hungry_.run();
    } else {
      busy_.pass();
      shared_.beckon(0);
      enough_.pass();
      shared_.end();
    }
  }
  void check() {}

 private:
  // The busy worker begins a quantum; does the other one sleep already?
  bool begin_quantum() {
    busy_.open();
    const bool asleep = hungry_.statistics().sleeps > 0;
    if (asleep && ++quanta_ == kQuanta) enough_.open();
    return asleep && quanta_ < kQuanta;
  }

  static constexpr int kQuanta = 4;

  int quanta_ = 0;  // while the other one sleeps
  Gate busy_;
  Gate enough_;
  Endless problem_{[this] { return begin_quantum(); }};
  NodeShared<Endless> shared_{problem_, Endless::options(2)};
  ChaseLevDeque<Chunk<CountingBag>>::Owner chunks_{shared_.posts[0].deque};
  Worker<Endless> hungry_{shared_, 1, {0}};
};

}  // namespace belay::model
