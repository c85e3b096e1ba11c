// uts-ratios: how near to no scheduler at all belay comes, beside its peers, on each tree.
//
// Programs that stand beside this one are run in turn, round after round, and each rate is
// divided by that of its base in the same round: of one worker the base is uts-seq, of N workers
// N uts-seq side by side, which share nothing but the machine: its ceiling. Shown are medians.
//
// With --instructions it also shows, by callgrind, what scheduling adds to a task: the
// instructions of uts's worker less those of uts-seq, both as the difference of two sizes of one
// tree, so that what happens once does not count. Valgrind's processor has no SHA instructions
// and is slow, so the hash is OpenSSL's, and the quantum is fixed to what --quantum auto came
// to outside.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "apps/common/options.hpp"
#include "apps/common/program.hpp"
#include "bench/median.hpp"
#include "bench/uts/peer.hpp"

namespace {

using Json = nlohmann::json;

struct Options {
  int runs = 7;
  int threads = static_cast<int>(std::max(2U, std::thread::hardware_concurrency()));
  int batch = 1000;
  std::vector<std::string> trees{"T1", "T2", "T3", "T4", "T5", "T1L", "T2L", "T3L"};
  bool instructions = false;
};

// A shell command while it runs.
class Command {
 public:
  explicit Command(std::string line)
      : line_(std::move(line)), pipe_(popen(line_.c_str(), "r"), pclose) {
    if (pipe_ == nullptr) throw std::runtime_error("cannot run " + line_);
  }

  // All that it writes to its stdout. Throws if it fails.
  std::string output() {
    std::string text;
    std::array<char, 4096> buffer{};
    while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe_.get())) {
      text.append(buffer.data(), n);
    }
    if (pclose(pipe_.release()) != 0) throw std::runtime_error(line_ + " failed");
    return text;
  }

 private:
  std::string line_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe_;
};

// A program of this one's folder, quoted for the shell.
std::string program(const std::string& name) {
  static const auto folder = std::filesystem::canonical("/proc/self/exe").parent_path();
  return '\'' + (folder / name).string() + '\'';
}

// Nodes per second of `copies` runs side by side, in all.
double rate(const std::string& command, int copies) {
  std::vector<Command> running;
  running.reserve(static_cast<std::size_t>(copies));
  for (int i = 0; i < copies; ++i) running.emplace_back(command + " --quiet --json -");
  double sum = 0;
  for (Command& copy : running) {
    const Json report = Json::parse(copy.output());
    sum += report["result"]["nodes"].get<double>() / report["seconds"].get<double>();
  }
  return sum;
}

struct Contender {
  std::string title;
  std::string command;
  int copies = 1;
  std::size_t base = 0;  // index of the contender that its rate is divided by
};

// The first two are the bases.
std::vector<Contender> contenders(const Options& options) {
  const std::string n = std::to_string(options.threads);
  const std::string threads = " --threads " + n;
  const std::string batch = " --batch " + std::to_string(options.batch);
  // The cores of one machine differ; what runs on one core runs on the same one.
  const std::string on_one =
      "taskset -c " + std::to_string(std::thread::hardware_concurrency() - 1) + ' ';
  return {{"seq", on_one + program("uts-seq"), 1, 0},
          {n + "*seq", program("uts-seq"), options.threads, 1},
          {"belay/1", on_one + program("uts") + " --threads 1", 1, 0},
          {"belay/" + n, program("uts") + threads, 1, 1},
          {"tbb", program("uts-tbb") + threads, 1, 1},
          {"tbb batch", program("uts-tbb") + threads + batch, 1, 1},
          {"omp", program("uts-omp") + threads, 1, 1},
          {"omp batch", program("uts-omp") + threads + batch, 1, 1}};
}

// One row: the median rate of each base in Mnodes/s, then the others' ratios.
void compare(const std::string& tree, const std::vector<Contender>& all, int runs) {
  const auto count = all.size();
  std::vector<std::vector<double>> values(count);
  for (int run = 0; run < runs; ++run) {
    std::vector<double> rates(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto turn = (i + static_cast<std::size_t>(run)) % count;  // nobody is always first
      rates[turn] = rate(all[turn].command + " --tree " + tree, all[turn].copies);
    }
    for (std::size_t i = 0; i < count; ++i) {
      values[i].push_back(all[i].base == i ? rates[i] / 1e6 : rates[i] / rates[all[i].base]);
    }
  }
  std::cout << std::left << std::setw(5) << tree << std::right << std::fixed;
  for (std::size_t i = 0; i < count; ++i) {
    std::cout << std::setw(11) << std::setprecision(all[i].base == i ? 1 : 3)
              << bench::median(values[i]);
  }
  std::cout << std::endl;
}

// Instructions that callgrind counts, within the functions of that name if one is given.
double instructions(const std::string& command, const std::string& within) {
  const std::string toggle = within.empty() ? "" : " --toggle-collect='" + within + "'";
  const std::string text = Command("valgrind --tool=callgrind --callgrind-out-file=/dev/null" +
                                   toggle + ' ' + command + " --quiet 2>&1")
                               .output();
  const auto at = text.find("Collected : ");
  if (at == std::string::npos) throw std::runtime_error("valgrind said: " + text);
  return std::stod(text.substr(at + 12));
}

void count_instructions() {
  const std::string small = " -t 1 -a 3 -b 4 -r 19 -d 7 --hash openssl";
  const std::string large = " -t 1 -a 3 -b 4 -r 19 -d 9 --hash openssl";
  const auto tasks = [](const std::string& arguments) {
    return Json::parse(Command(program("uts-seq") + arguments + " --quiet --json -").output())
        .at("tasks")
        .get<double>();
  };
  const Json worker =
      Json::parse(Command(program("uts") + large + " --threads 1 --quiet --json -").output())
          .at("ranks")[0]["workers"][0];
  const auto quantum = worker["tasks"].get<std::uint64_t>() / worker["quanta"].get<std::uint64_t>();
  const std::string uts = program("uts") + " --threads 1 --quantum " +
                          std::to_string(std::max<std::uint64_t>(1, quantum));
  const std::string worker_threads = "std::thread::_State_impl<*";
  const double by_belay =
      instructions(uts + large, worker_threads) - instructions(uts + small, worker_threads);
  const double by_seq =
      instructions(program("uts-seq") + large, "") - instructions(program("uts-seq") + small, "");
  const double more_tasks = tasks(large) - tasks(small);
  std::cout << "instructions per task (the expansion of a node), by callgrind: uts-seq "
            << std::setprecision(1) << std::fixed << by_seq / more_tasks << ", uts with 1 worker "
            << by_belay / more_tasks << ", scheduling adds " << (by_belay - by_seq) / more_tasks
            << '\n';
}

int ratios(const bench::OneRank& session, int argc, char** argv) {
  CLI::App app("Compares belay's counting of trees with sequential programs and with its peers.",
               "uts-ratios");
  Options options;
  apps::ReportOptions no_report;
  apps::add_number(app, "--runs", options.runs, 1, 1000, "rounds per tree; default 7");
  apps::add_number(app, "--threads", options.threads, 2, 4096,
                   "workers beside one; default: one per processing unit");
  apps::add_number(app, "--batch", options.batch, 1, 1'000'000'000,
                   "nodes per task of the peers' batches; default 1000");
  app.add_option("--trees", options.trees, "names of trees; default: T1 to T5, T1L to T3L")
      ->delimiter(',')
      ->type_name("NAME,...");
  app.add_flag("--instructions", options.instructions,
               "also count instructions per task, which needs valgrind");
  if (const auto status = apps::parse(session, app, no_report, argc, argv)) return *status;
  for (const std::string& tree : options.trees) {
    if (apps::find_known_tree(tree) == nullptr) {
      throw std::invalid_argument("--trees " + tree + ": must be among " +
                                  apps::known_tree_names());
    }
  }

  const auto all = contenders(options);
  std::cout << "medians of " << options.runs << " rounds; " << all[0].title << " and "
            << all[1].title << " in Mnodes/s, belay/1 as a ratio to " << all[0].title
            << ", the others to " << all[1].title << "\ntree ";
  for (const Contender& contender : all) std::cout << std::setw(11) << contender.title;
  std::cout << std::endl;
  for (const std::string& tree : options.trees) compare(tree, all, options.runs);
  if (options.instructions) count_instructions();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run_program<bench::OneRank>("uts-ratios", argc, argv, ratios);
}
