// The frame of the peers: programs that do what a belay program does, with the same code and
// another scheduler. They take the options of that program which do not concern the scheduler,
// --threads, --quiet and --json, and report under the same keys. They know nothing of MPI.
#pragma once

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "apps/common/options.hpp"
#include "apps/common/program.hpp"
#include "apps/common/report.hpp"

namespace bench {

// What a program over several ranks learns from a belay::Session.
class OneRank {
 public:
  OneRank(int /*argc*/, char** /*argv*/) {}
  [[nodiscard]] static int rank() { return 0; }
  [[nodiscard]] static std::string broadcast(std::string value) { return value; }
};

inline std::string host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

// Of a run whose threads did so many tasks each.
inline belay::Statistics statistics_of(const std::vector<std::uint64_t>& tasks, double seconds) {
  belay::RankStatistics rank;
  rank.host = host();
  rank.workers.resize(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) rank.workers[i].tasks = tasks[i];
  return {seconds, {std::move(rank)}};
}

template <class Call>
double seconds_of(Call call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Peer {
  std::string name;
  std::string title;  // what it does, with which scheduler
  int max_threads = 4096;
};

// add_options(app) adds what the peer takes besides --threads, --quiet and --json;
// body(threads, report) does the work and fills in the report.
template <class AddOptions, class Body>
int run_peer(const Peer& peer, int argc, char** argv, AddOptions add_options, Body body) {
  return apps::run_program<OneRank>(
      peer.name, argc, argv, [&](const OneRank& session, int the_argc, char** the_argv) {
        CLI::App app(peer.title, peer.name);
        apps::ReportOptions options;
        const int units = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        int threads = std::min(units, peer.max_threads);
        add_options(app);
        apps::add_plain_options(app, threads, peer.max_threads, "default: one per processing unit",
                                options);
        if (const auto status = apps::parse(session, app, options, the_argc, the_argv)) {
          return *status;
        }
        apps::Report report{.program = peer.name};
        body(threads, report);
        apps::publish(report, options);
        return apps::status_of(report);
      });
}

}  // namespace bench
