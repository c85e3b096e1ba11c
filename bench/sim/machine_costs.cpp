#include "bench/sim/machine_costs.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <variant>

#include "apps/common/printable.hpp"

namespace bench {

namespace {

using belay::sim::Costs;
using belay::sim::Nanoseconds;

struct Cost {
  std::string_view name;
  std::string_view help;
  std::variant<double MachineCosts::*, Nanoseconds Costs::*, double Costs::*, bool Costs::*> field;
  double least = 0;
  double most = 1e10;  // ns, which is longer than anything but a task
  std::string_view unit = " ns";
};

constexpr double kLongestLatency = 4e9;  // the network draws from 32 bits

constexpr std::array kCosts{
    Cost{"uts_node_ns", "a node of a UTS tree", &MachineCosts::uts_node_ns, 0.001},
    Cost{"task_ns", "a task of everything else", &Costs::task, 1, kLongestTask},
    Cost{"publish_ns", "a worker splits a chunk off and pushes it", &Costs::publish},
    Cost{"local_steal_ns", "a worker takes a chunk from another's deque", &Costs::local_steal},
    Cost{"wake_up_ns", "from new work to a sleeping thread's first step", &Costs::wake_up},
    Cost{"spin_ns", "a worker without work looks again for so long before it sleeps", &Costs::spin},
    Cost{"pick_up_ns", "a message waits for the communication thread of a busy node",
         &Costs::pick_up},
    Cost{"idle_pick_up_ns", "the same where a thread has nothing else to do", &Costs::idle_pick_up},
    Cost{"look_around_ns", "a communication thread looks at least this often", &Costs::look_around,
         1},
    Cost{"look_ns", "one look of the communication thread", &Costs::look},
    Cost{"service_ns", "each message that it finds", &Costs::service},
    Cost{"shares_cores", "the communication thread takes its time from a worker; 0: from nobody",
         &Costs::shares_cores, 0, 1, ""},
    Cost{"held_up_share", "of the communication thread's looks, after which it has no core",
         &Costs::held_up_share, 0, 1, ""},
    Cost{"held_up_ns", "for so long", &Costs::held_up},
    Cost{"latency_min_ns", "of a message, drawn uniformly", &Costs::latency_min, 0,
         kLongestLatency},
    Cost{"latency_max_ns", "the same", &Costs::latency_max, 0, kLongestLatency},
    Cost{"bandwidth_gb_per_s", "for loot", &Costs::bandwidth, 0.001, 1e6, " GB/s"},
    Cost{"task_bytes", "of a task in loot", &Costs::task_bytes, 0, 1e6, " bytes"},
};

struct Set {
  MachineCosts* machine;
  double value;
  void operator()(double MachineCosts::*field) const { machine->*field = value; }
  void operator()(Nanoseconds Costs::*field) const {
    machine->costs.*field = static_cast<Nanoseconds>(std::llround(value));
  }
  void operator()(double Costs::*field) const { machine->costs.*field = value; }
  void operator()(bool Costs::*field) const { machine->costs.*field = value != 0; }
};

struct Get {
  const MachineCosts* machine;
  nlohmann::ordered_json operator()(double MachineCosts::*field) const { return machine->*field; }
  nlohmann::ordered_json operator()(bool Costs::*field) const {
    return machine->costs.*field ? 1 : 0;
  }
  nlohmann::ordered_json operator()(auto Costs::*field) const { return machine->costs.*field; }
};

std::string names() {
  std::string all;
  for (const Cost& cost : kCosts) all += (all.empty() ? "" : ", ") + std::string(cost.name);
  return all;
}

}  // namespace

std::string describe_costs() {
  const MachineCosts standards;
  std::ostringstream text;
  for (const Cost& cost : kCosts) {
    text << "  " << cost.name << ": " << std::visit(Get{&standards}, cost.field) << cost.unit
         << ", " << cost.help << '\n';
  }
  return text.str();
}

void set_cost(MachineCosts& machine, const std::string& name, double value) {
  const auto* const cost = std::ranges::find(kCosts, name, &Cost::name);
  if (cost == kCosts.end()) {
    throw std::invalid_argument("no cost " + apps::printable(name) + ", there are " + names());
  }
  const bool is_flag = std::holds_alternative<bool Costs::*>(cost->field);
  const bool allowed =
      is_flag ? value == 0 || value == 1 : value >= cost->least && value <= cost->most;
  if (!allowed) {
    std::ostringstream text;
    text << name << " = " << value << ", allowed: ";
    if (is_flag) {
      text << "0 or 1";
    } else {
      text << cost->least << " to " << cost->most;
    }
    throw std::invalid_argument(text.str());
  }
  std::visit(Set{&machine, value}, cost->field);
  if (machine.costs.latency_max < machine.costs.latency_min) {
    // Whichever was named last is meant.
    auto& costs = machine.costs;
    (name == "latency_max_ns" ? costs.latency_min : costs.latency_max) =
        name == "latency_max_ns" ? costs.latency_max : costs.latency_min;
  }
}

void set_cost(MachineCosts& machine, const std::string& assignment) {
  const auto equals = assignment.find('=');
  double value = 0;
  if (equals != std::string::npos) {
    const char* const end = assignment.data() + assignment.size();
    const auto [stop, error] = std::from_chars(assignment.data() + equals + 1, end, value);
    if (error == std::errc{} && stop == end) {
      set_cost(machine, assignment.substr(0, equals), value);
      return;
    }
  }
  throw std::invalid_argument("'" + apps::printable(assignment) + "', allowed: NAME=NUMBER");
}

void read_costs(MachineCosts& machine, const std::string& file) {
  const auto refuse = [&](const std::string& what) {
    throw std::invalid_argument(apps::printable(file, std::string::npos) + ": " + what);
  };
  std::ifstream stream(file);
  stream.peek();  // a folder can be opened
  if (!stream) refuse("cannot be read");
  const auto json = nlohmann::json::parse(stream, nullptr, false);
  if (!json.is_object()) refuse("is no JSON object");
  for (const auto& [name, value] : json.items()) {
    if (!value.is_number()) refuse(apps::printable(name) + " is no number");
    try {
      set_cost(machine, name, value.get<double>());
    } catch (const std::invalid_argument& error) {
      refuse(error.what());
    }
  }
  if (json.contains("latency_min_ns") && json.contains("latency_max_ns") &&
      json["latency_min_ns"] > json["latency_max_ns"]) {
    refuse("latency_min_ns = " + json["latency_min_ns"].dump() +
           ", allowed: up to latency_max_ns = " + json["latency_max_ns"].dump());
  }
}

nlohmann::ordered_json to_json(const MachineCosts& machine) {
  nlohmann::ordered_json json;
  for (const Cost& cost : kCosts) {
    json[std::string(cost.name)] = std::visit(Get{&machine}, cost.field);
  }
  return json;
}

}  // namespace bench
