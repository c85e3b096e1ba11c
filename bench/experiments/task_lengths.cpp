// task_lengths: with no option set, how well do tasks of any length balance?
//
// A bag is a range of tasks of one length; all start on one worker. The efficiency is the time
// of plain threads that were given equal parts beforehand, over that of belay, both measured in
// turn, round after round; shown are medians. Tasks compute, on as many workers as there are
// processing units; with more workers they sleep, which needs no unit. The last rows change in
// mid-run: a million tasks of 20 ns, then tasks of 100 ms. No balancer that does not divide tasks
// can promise more than a task's length less than a whole worker's time: at 100 ms that is a
// tenth of a second.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <belay/belay.hpp>
#include <chrono>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "apps/common/options.hpp"
#include "apps/common/program.hpp"
#include "bench/median.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

// A dependent multiply and add, a few cycles a step.
std::uint64_t compute(std::uint64_t steps, std::uint64_t value) {
  for (std::uint64_t i = 0; i < steps; ++i)
    value = value * 6364136223846793005U + 1442695040888963407U;
  return value;
}

double steps_per_nanosecond() {
  constexpr std::uint64_t kSteps = 20'000'000;
  const auto start = Clock::now();
  volatile std::uint64_t sink = compute(kSteps, 1);
  static_cast<void>(sink);
  return static_cast<double>(kSteps) /
         static_cast<double>(nanoseconds(Clock::now() - start).count());
}

struct Length {
  nanoseconds time;
  std::uint64_t steps;  // 0: sleep

  void spend(std::uint64_t& value) const {
    if (steps > 0) {
      value = compute(steps, value);
    } else {
      std::this_thread::sleep_for(time);
    }
  }
};

// Tasks first to last; those below `change` have the first length, the others the second.
class Tasks {
 public:
  struct Bag {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    [[nodiscard]] std::uint64_t size() const { return last - first; }
  };
  struct Result {
    std::uint64_t tasks = 0;
    std::uint64_t value = 1;
  };

  Tasks(Length before, Length after, std::uint64_t change)
      : before_(before), after_(after), change_(change) {}

  void run(std::uint64_t task, Result& result) const {
    (task < change_ ? before_ : after_).spend(result.value);
    ++result.tasks;
  }

  [[nodiscard]] static Bag empty_bag() { return {}; }
  [[nodiscard]] static Result identity() { return {}; }
  void process(Bag& bag, Result& result, belay::Quantum& quantum) const {
    for (; bag.first < bag.last && quantum.take(); ++bag.first) run(bag.first, result);
  }
  [[nodiscard]] static Bag split(Bag& bag, belay::Share share) {
    const auto given = static_cast<std::uint64_t>(share.of(static_cast<std::size_t>(bag.size())));
    const Bag part{bag.last - given, bag.last};
    bag.last = part.first;
    return part;
  }
  // On one rank nothing is merged but with an empty bag.
  static void merge(Bag& into, Bag&& from) {
    BELAY_CHECK(into.size() == 0, into.size());
    into = from;
  }
  static void pack(const Bag& bag, belay::Packer& packer) { packer.put(bag); }
  [[nodiscard]] static Bag unpack(belay::Unpacker& unpacker) { return unpacker.get<Bag>(); }
  static void reduce(Result& into, Result&& from) {
    into.tasks += from.tasks;
    into.value ^= from.value;
  }

 private:
  Length before_;
  Length after_;
  std::uint64_t change_;
};

struct Case {
  std::string title;
  int threads;
  Tasks tasks;
  std::uint64_t count;
  std::uint64_t change;  // tasks before it have one length, the others another
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Equal parts of the tasks of each length.
double time_of_equal_parts(const Case& c) {
  const auto start = Clock::now();
  std::vector<std::thread> threads;
  const auto n = static_cast<std::uint64_t>(c.threads);
  for (std::uint64_t t = 0; t < n; ++t) {
    threads.emplace_back([&c, n, t] {
      Tasks::Result result;
      const auto part = [&](std::uint64_t begin, std::uint64_t end) {
        const std::uint64_t count = end - begin;
        for (auto i = begin + count * t / n; i < begin + count * (t + 1) / n; ++i) {
          c.tasks.run(i, result);
        }
      };
      part(0, c.change);
      part(c.change, c.count);
      volatile std::uint64_t sink = result.value;
      static_cast<void>(sink);
    });
  }
  for (auto& thread : threads) thread.join();
  return seconds_since(start);
}

double time_of_belay(belay::Session& session, const Case& c) {
  belay::Parameters parameters;
  parameters.threads = c.threads;
  const auto start = Clock::now();
  const auto result =
      belay::run(session, c.tasks, belay::at_root(Tasks::Bag{0, c.count}), parameters);
  const double time = seconds_since(start);
  BELAY_CHECK(result.tasks == c.count, result.tasks);
  return time;
}

std::string text(nanoseconds time) {
  const auto ns = time.count();
  if (ns < 1'000) return std::to_string(ns) + " ns";
  if (ns < 1'000'000) return std::to_string(ns / 1'000) + " us";
  return std::to_string(ns / 1'000'000) + " ms";
}

std::vector<Case> cases(double seconds) {
  const double speed = steps_per_nanosecond();
  const auto busy = [speed](nanoseconds time) {
    return Length{time, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(
                                                       speed * static_cast<double>(time.count())))};
  };
  const auto asleep = [](nanoseconds time) { return Length{time, 0}; };
  const auto count = [seconds](int threads, nanoseconds time) {
    const double each = seconds * 1e9 / static_cast<double>(time.count());
    return static_cast<std::uint64_t>(threads) *
           std::max<std::uint64_t>(1, static_cast<std::uint64_t>(each));
  };
  constexpr std::uint64_t kFine = 1'000'000;
  const nanoseconds fine(20);
  const nanoseconds coarse(100'000'000);

  std::vector<Case> all;
  for (const int ns : {20, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000}) {
    const nanoseconds time(ns);
    const auto n = count(2, time);
    all.push_back({"computed, " + text(time), 2, Tasks(busy(time), busy(time), n), n, n});
  }
  for (const int threads : {4, 16}) {
    for (const int ms : {1, 10, 100}) {
      const nanoseconds time(std::chrono::milliseconds{ms});
      const auto n = count(threads, time);
      all.push_back({"slept, " + text(time), threads, Tasks(asleep(time), asleep(time), n), n, n});
    }
  }
  for (const int threads : {2, 4, 16}) {
    const Length late = threads == 2 ? busy(coarse) : asleep(coarse);
    all.push_back({"10^6 of 20 ns, then 100 ms", threads, Tasks(busy(fine), late, kFine),
                   kFine + count(threads, coarse), kFine});
  }
  return all;
}

int task_lengths(belay::Session& session, int argc, char** argv) {
  CLI::App app("Efficiency of belay with tasks from 20 ns to 100 ms.", "task_lengths");
  int rounds = 7;
  double seconds = 1;
  apps::ReportOptions none;
  apps::add_number(app, "--rounds", rounds, 1, 1000, "measurements of each; default 7");
  apps::add_number(app, "--seconds", seconds, 0.001, 1000.0, "of work per thread; default 1");
  if (const auto status = apps::parse(session, app, none, argc, argv)) return *status;

  if (session.size() > 1) throw std::invalid_argument("task_lengths is for one rank");
  std::cout << "workers  tasks                             number  efficiency\n" << std::fixed;
  for (const Case& c : cases(seconds)) {
    std::vector<double> ratios;
    for (int round = 0; round < rounds; ++round) {
      const double ideal = time_of_equal_parts(c);
      ratios.push_back(ideal / time_of_belay(session, c));
    }
    std::cout << std::setw(7) << c.threads << "  " << std::left << std::setw(28) << c.title
              << std::right << std::setw(12) << c.count << std::setw(12) << std::setprecision(3)
              << bench::median(ratios) << std::endl;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run_program<belay::Session>("task_lengths", argc, argv, task_lengths);
}
