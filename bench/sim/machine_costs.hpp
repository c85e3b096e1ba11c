// MachineCosts: what things take on a machine, as a JSON object of numbers that a person can edit.
//
// A file need not name every cost; those that it leaves out keep their defaults, and a name that
// does not exist is an error. costs.json beside this file, which the experiments take, has the
// defaults; measure-costs writes such a file for the machine on which it runs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "belay/inter/sim/costs.hpp"

namespace bench {

inline constexpr double kLongestTask = 1e12;  // ns

struct MachineCosts {
  double uts_node_ns = 23;  // a node of a UTS tree; a task of UTS is several nodes
  belay::sim::Costs costs{.service = 1'000, .shares_cores = true};
};

// "name: default and unit, what it is", a line for each cost, for --help.
[[nodiscard]] std::string describe_costs();

// Sets one cost. Throws std::invalid_argument, which says in one printable line what is allowed.
void set_cost(MachineCosts& machine, const std::string& name, double value);

// Sets what the text names, as "pick_up_ns=1000".
void set_cost(MachineCosts& machine, const std::string& assignment);

// Sets all that the file names. Throws std::invalid_argument with the file's name.
void read_costs(MachineCosts& machine, const std::string& file);

[[nodiscard]] nlohmann::ordered_json to_json(const MachineCosts& machine);

}  // namespace bench
