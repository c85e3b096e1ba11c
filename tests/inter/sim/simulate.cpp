// belay-simulate: the clusters of the simulated tests, as many as one likes.
//
//   belay-simulate --first 0 --count 1000000     checks a million seeds on all cores
//   belay-simulate --first 4711 --count 1 --log  prints what happens in one
//
// Exit status 1 when a seed fails; the seeds that do are printed.
#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdint>
#include <exception>
#include <iostream>
#include <mutex>
#include <ostream>
#include <thread>
#include <vector>

#include "tests/inter/sim/random_cluster.hpp"

namespace {

struct Options {
  std::uint64_t first = 0;
  std::uint64_t count = 1000;
  unsigned threads = std::thread::hardware_concurrency();
  bool log = false;
};

// The seeds of all threads, one by one.
class Seeds {
 public:
  explicit Seeds(const Options& options) : options_(options) {}

  void run() {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < options_.threads; ++i) threads.emplace_back([this] { take_seeds(); });
    for (auto& thread : threads) thread.join();
  }

  [[nodiscard]] std::uint64_t failed() const { return failed_; }

 private:
  void take_seeds() {
    for (std::uint64_t i = taken_++; i < options_.count; i = taken_++) {
      try {
        belay::sim::check_seed(options_.first + i, options_.log ? &std::cout : nullptr);
      } catch (const std::exception& error) {
        ++failed_;
        const std::lock_guard lock(output_);
        std::cerr << error.what() << std::endl;
      }
    }
  }

  Options options_;
  std::atomic<std::uint64_t> taken_{0};
  std::atomic<std::uint64_t> failed_{0};
  std::mutex output_;
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Checks the protocol between nodes on simulated clusters, one per seed");
  app.add_option("--first", options.first, "the first seed")->capture_default_str();
  app.add_option("--count", options.count, "how many seeds")->capture_default_str();
  app.add_option("--threads", options.threads, "threads; default: one per core")
      ->check(CLI::Range(1, 1024));
  app.add_flag("--log", options.log, "print what happens, one thread");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (options.log) options.threads = 1;
  Seeds seeds(options);
  seeds.run();
  std::cerr << options.count - seeds.failed() << " of " << options.count << " seeds passed\n";
  return seeds.failed() == 0 ? 0 : 1;
}
