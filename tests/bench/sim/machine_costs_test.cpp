#include "bench/sim/machine_costs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "bench/sim/cluster_options.hpp"

namespace bench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class MachineCostsFile : public testing::Test {
 protected:
  MachineCostsFile() = default;
  ~MachineCostsFile() override { std::filesystem::remove(file_); }

  void write(const std::string& text) const { std::ofstream(file_) << text; }

  // What is said of a file with this text.
  std::string error_of(const std::string& text) const {
    write(text);
    MachineCosts machine;
    try {
      read_costs(machine, file_);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing";
  }

  const std::string file_ = testing::TempDir() + "costs." + std::to_string(getpid()) + ".json";
};

TEST_F(MachineCostsFile, GivesBackEveryCost) {
  MachineCosts written;
  const auto standards = to_json(written);
  double value = 2;
  for (const auto& [name, standard] : standards.items()) {
    set_cost(written, name, name == "shares_cores" ? 0 : name == "held_up_share" ? 1 : value);
    value += 1000;
    EXPECT_NE(to_json(written)[name], standard) << name;
  }
  write(to_json(written).dump());
  MachineCosts read;
  read_costs(read, file_);
  EXPECT_EQ(to_json(read), to_json(written));
}

TEST_F(MachineCostsFile, LeavesTheDefaultsOfWhatItDoesNotName) {
  write(R"({"pick_up_ns": 7})");
  MachineCosts read;
  read_costs(read, file_);
  EXPECT_EQ(read.costs.pick_up, 7);
  auto others = to_json(read);
  others["pick_up_ns"] = to_json(MachineCosts{})["pick_up_ns"];
  EXPECT_EQ(others, to_json(MachineCosts{}));
}

TEST_F(MachineCostsFile, IsRefusedByNameWithWhatIsWrong) {
  const auto of_file = StartsWith(file_ + ": ");
  const auto one_line = Not(HasSubstr("\n"));
  const auto says = [&](const std::string& what) {
    return AllOf(of_file, one_line, HasSubstr(what));
  };
  EXPECT_THAT(error_of(R"({"pick_ups_ns": 7})"),
              says("no cost pick_ups_ns, there are uts_node_ns"));
  EXPECT_THAT(error_of(R"({"a\nb": 7})"), says("no cost a\\x0ab, there are"));
  EXPECT_THAT(error_of(R"({"a\nb": "7"})"), says("a\\x0ab is no number"));
  EXPECT_THAT(error_of(R"({"pick_up_ns": "7"})"), says("pick_up_ns is no number"));
  EXPECT_THAT(error_of(R"({"pick_up_ns": true})"), says("pick_up_ns is no number"));
  EXPECT_THAT(error_of(R"({"pick_up_ns": null})"), says("pick_up_ns is no number"));
  EXPECT_THAT(error_of(R"({"pick_up_ns": [7]})"), says("pick_up_ns is no number"));
  EXPECT_THAT(error_of(R"({"pick_up_ns": -1})"), says("pick_up_ns = -1, allowed: 0 to 1e+10"));
  EXPECT_THAT(error_of(R"({"task_ns": 0})"), says("task_ns = 0, allowed: 1 to 1e+12"));
  EXPECT_THAT(error_of(R"({"bandwidth_gb_per_s": 0})"), says("bandwidth_gb_per_s = 0, allowed: "));
  EXPECT_THAT(error_of(R"({"shares_cores": 2})"), says("shares_cores = 2, allowed: 0 or 1"));
  EXPECT_THAT(error_of(R"({"shares_cores": 0.5})"), says("shares_cores = 0.5, allowed: 0 or 1"));
  EXPECT_THAT(error_of(R"({"held_up_share": 2})"), says("held_up_share = 2, allowed: 0 to 1"));
  EXPECT_THAT(error_of(R"({"pick_up_ns": 1e11})"), says("allowed: 0 to 1e+10"));
  EXPECT_THAT(error_of(R"({"latency_min_ns": 5e9})"), says("allowed: 0 to 4e+09"));
  EXPECT_THAT(error_of(R"({"latency_max_ns": 5e9})"), says("allowed: 0 to 4e+09"));
  EXPECT_THAT(error_of(R"({"task_bytes": 1e7})"), says("allowed: 0 to 1e+06"));
  EXPECT_THAT(error_of(R"({"latency_min_ns": 8, "latency_max_ns": 7})"),
              says("latency_min_ns = 8, allowed: up to latency_max_ns = 7"));
  EXPECT_THAT(error_of("[1]"), says("is no JSON object"));
  EXPECT_THAT(error_of(R"({"pick_up_ns": 7)"), says("is no JSON object"));
  EXPECT_THAT(error_of(""), says("is no JSON object"));
}

TEST_F(MachineCostsFile, IsRefusedWhereThereIsNone) {
  MachineCosts machine;
  for (const std::string& file : {file_, testing::TempDir()}) {
    EXPECT_THAT([&] { read_costs(machine, file); },
                testing::ThrowsMessage<std::invalid_argument>(file + ": cannot be read"));
  }
}

TEST_F(MachineCostsFile, GivesWayToTheCommandLine) {
  write(R"({"pick_up_ns": 7, "wake_up_ns": 8})");
  ClusterOptions options;
  options.costs_file = file_;
  options.costs = {"pick_up_ns=9", "spin_ns=10", "spin_ns=1e1"};
  const MachineCosts machine = costs_of(options);
  EXPECT_EQ(machine.costs.pick_up, 9);
  EXPECT_EQ(machine.costs.wake_up, 8);
  EXPECT_EQ(machine.costs.spin, 10);
}

TEST(MachineCosts, AreSetByAssignmentsAlone) {
  MachineCosts machine;
  for (const char* wrong :
       {"", "=", "pick_up_ns", "pick_up_ns=", "pick_up_ns=x", "pick_up_ns=7x", "pick_up_ns= 7",
        "=7", "pick_up_ns=-1", "pick_up_ns=nan", "pick_up_ns=inf", "Pick_up_ns=7"}) {
    EXPECT_THROW(set_cost(machine, wrong), std::invalid_argument) << wrong;
  }
  EXPECT_EQ(to_json(machine), to_json(MachineCosts{}));
  set_cost(machine, "pick_up_ns=7.6");
  EXPECT_EQ(machine.costs.pick_up, 8);
}

TEST(MachineCosts, AreRefusedInOneLineWhateverIsAssigned) {
  MachineCosts machine;
  for (const char* wrong : {"a\nb", "a\nb=1", "\n"}) {
    EXPECT_THAT([&] { set_cost(machine, wrong); },
                testing::ThrowsMessage<std::invalid_argument>(Not(HasSubstr("\n"))))
        << wrong;
  }
}

TEST(MachineCosts, AreNeverALongestLatencyBelowTheShortest) {
  MachineCosts machine;
  set_cost(machine, "latency_min_ns", 50'000);
  EXPECT_EQ(machine.costs.latency_max, 50'000);
  set_cost(machine, "latency_max_ns", 20);
  EXPECT_EQ(machine.costs.latency_min, 20);
  EXPECT_EQ(machine.costs.latency_max, 20);
}

TEST(MachineCosts, AreByDefaultThoseOfTheExperiments) {
  std::ifstream file(std::string(BELAY_SOURCE_DIR) + "/bench/sim/costs.json");
  EXPECT_EQ(nlohmann::ordered_json::parse(file), to_json(MachineCosts{}));
}

TEST(MachineCosts, AreAllDescribed) {
  const std::string text = describe_costs();
  const auto costs = to_json(MachineCosts{});
  for (const auto& [name, value] : costs.items()) {
    EXPECT_THAT(text, HasSubstr("  " + name + ": " + value.dump()));
  }
  EXPECT_THAT(text, HasSubstr("  pick_up_ns: 100000 ns, a message waits "));
  EXPECT_THAT(text, HasSubstr("  shares_cores: 1, the communication thread "));
}

}  // namespace
}  // namespace bench
