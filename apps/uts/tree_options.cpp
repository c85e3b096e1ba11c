#include "apps/uts/tree_options.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/options.hpp"

namespace apps {

namespace {

constexpr std::array kTypeNames{"binomial", "geometric", "hybrid", "balanced"};
constexpr std::array kShapeNames{"linear", "exponential", "cyclic", "fixed"};
const std::vector<std::pair<std::string, HashKernel>> kHashNames{{"auto", HashKernel::automatic},
                                                                 {"openssl", HashKernel::openssl},
                                                                 {"sha-ni", HashKernel::sha_ni}};

}  // namespace

void add_tree_options(CLI::App& app, TreeOptions& options) {
  constexpr std::int32_t kMaxNumber = std::numeric_limits<std::int32_t>::max();
  TreeParameters& p = options.parameters;
  const std::vector<CLI::Option*> flags{
      add_number(app, "-t", p.type, 0, 3,
                 "type: 0 binomial, 1 geometric, 2 hybrid, 3 balanced; default 1"),
      add_number(app, "-b", p.b0, 0, kMaxNumber, "branching factor of the root; default 4"),
      add_number(app, "-r", p.seed, 0, kMaxNumber, "seed of the root; default 0"),
      add_number(app, "-a", p.shape, 0, 3,
                 "geometric shape: 0 linear, 1 exponential, 2 cyclic, 3 fixed; default 0"),
      add_number(app, "-d", p.depth, 0, kMaxNumber, "depth d, but for binomial trees; default 6"),
      add_number(app, "-f", p.shift_depth, 0, 1e9,
                 "hybrid: geometric at depths below f*d, then binomial; default 0.5"),
      add_number(app, "-q", p.q, 0, 1,
                 "binomial: probability of having children; default 0.234375"),
      add_number(app, "-m", p.m, 0, kMaxNumber, "binomial: number of children then; default 4"),
      add_number(app, "-g", p.granularity, 1, kMaxNumber,
                 "times each hash is computed, for coarser tasks; default 1")};
  for (CLI::Option* flag : flags)
    flag->group("Parameters of the tree, those of the reference program");

  app.add_option_function<std::string>(
         "--tree",
         [&options](const std::string& name) {
           options.known = find_known_tree(name);
           if (options.known == nullptr) {
             throw CLI::ValidationError("--tree " + name, "must be one of " + known_tree_names());
           }
         },
         "a well-known tree, whose count is then checked, in place of parameters")
      ->take_last()
      ->type_name("NAME");
  add_choice(app, "--hash", options.hash, kHashNames,
             "kernel for SHA-1; default auto: sha-ni if possible, it is faster");
  app.footer("Trees that have names: " + known_tree_names() + ".\n");

  app.callback([&options, flags] {
    static_cast<void>(hash_children(options.hash));  // throws if the processor has it not
    if (options.known != nullptr) {
      for (const CLI::Option* flag : flags) {
        if (flag->count() == 0) continue;
        throw CLI::ValidationError("--tree and " + flag->get_name(),
                                   "give a name or parameters, not both");
      }
      options.parameters = options.known->parameters;
    }
    options.parameters.validate();
    if (find_known_tree(options.parameters) == nullptr) options.parameters.require_finite();
  });
}

nlohmann::ordered_json to_json(const TreeOptions& options) {
  const TreeParameters& p = options.parameters;
  nlohmann::ordered_json name;
  if (options.known != nullptr) name = options.known->name;
  return {{"tree", name},
          {"type", kTypeNames[static_cast<std::size_t>(p.type)]},
          {"shape", kShapeNames[static_cast<std::size_t>(p.shape)]},
          {"b", p.b0},
          {"r", p.seed},
          {"d", p.depth},
          {"f", p.shift_depth},
          {"q", p.q},
          {"m", p.m},
          {"g", p.granularity},
          {"hash", kHashNames[static_cast<std::size_t>(effective_kernel(options.hash))].first}};
}

}  // namespace apps
