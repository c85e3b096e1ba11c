#include "apps/bc/graph_options.hpp"

#include <limits>
#include <utility>
#include <vector>

#include "apps/common/options.hpp"

namespace apps {

namespace {

const std::vector<std::pair<std::string, GraphFormat>> kFormatNames{
    {"auto", GraphFormat::automatic},
    {"matrix-market", GraphFormat::matrix_market},
    {"snap", GraphFormat::snap},
    {"metis", GraphFormat::metis}};

}  // namespace

void add_graph_options(CLI::App& app, GraphSource& source) {
  CLI::Option* const file =
      app.add_option("FILE", source.file, "graph to read, gzip too; default: draw one")
          ->check(refuse_no_name);
  add_choice(app, "--format", source.format, kFormatNames, "of FILE; default auto: by its name")
      ->needs(file);
  add_number(app, "--rmat", source.rmat.scale, 0, 31,
             "draw an R-MAT graph of 2^N vertices; default 10")
      ->excludes(file);
  add_number(app, "--edge-factor", source.rmat.edge_factor, 0, 1U << 20U,
             "edges drawn per vertex; default 8")
      ->excludes(file);
  add_number(app, "--graph-seed", source.rmat.seed, 0, std::numeric_limits<std::uint64_t>::max(),
             "of the graph that is drawn; default 1")
      ->excludes(file);
  app.add_flag("--directed", source.options.directed, "edges lead one way; default: both ways");
  app.add_flag("--multi", source.options.multi,
               "each of parallel edges is a path of its own; default: they are one");
}

nlohmann::ordered_json to_json(const GraphSource& source) {
  nlohmann::ordered_json json;
  if (source.file.empty()) {
    json = {{"rmat", source.rmat.scale},
            {"edge_factor", source.rmat.edge_factor},
            {"graph_seed", source.rmat.seed}};
  } else {
    // Any bytes make a file's name; what is not UTF-8 in it JSON could not hold.
    const std::string name =
        nlohmann::ordered_json(source.file)
            .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    json = {{"file", nlohmann::ordered_json::parse(name)},
            {"format", name_of(kFormatNames, source.format)}};
  }
  json.update(nlohmann::ordered_json{{"directed", source.options.directed},
                                     {"multi", source.options.multi}});
  return json;
}

Graph make_graph(const GraphSource& source) {
  if (source.file.empty()) {
    // The edges drawn, once more while they are put in order.
    const std::uint64_t bytes = 2 * sizeof(Edge) * (source.rmat.edge_factor << source.rmat.scale);
    const std::uint64_t most = default_memory_bytes();
    if (bytes > most) {
      throw GraphError("--rmat " + std::to_string(source.rmat.scale) + ", --edge-factor " +
                       std::to_string(source.rmat.edge_factor) + ": needs " +
                       std::to_string(bytes) + " bytes of memory, must be at most " +
                       std::to_string(most) + ", half of what there is");
    }
    return make_rmat(source.rmat, source.options);
  }
  return read_graph(source.file, source.format, source.options);
}

}  // namespace apps
