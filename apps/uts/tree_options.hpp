// The options that choose a UTS tree: the reference program's own flags, or --tree NAME; and how
// its hashes are computed.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/uts/known_trees.hpp"
#include "apps/uts/sha1.hpp"
#include "apps/uts/tree.hpp"

namespace apps {

struct TreeOptions {
  TreeParameters parameters;
  const KnownTree* known = nullptr;  // the tree that --tree named
  HashKernel hash = HashKernel::automatic;
};

// Parsing throws if the parameters are not valid, or make a tree that need not end and is not
// known to. `options` must live as long as `app`.
void add_tree_options(CLI::App& app, TreeOptions& options);

// Every effective value, the flags' under their letters.
[[nodiscard]] nlohmann::ordered_json to_json(const TreeOptions& options);

}  // namespace apps
