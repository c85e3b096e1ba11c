// belay-report: pictures of a run, from its report or its trace.
#include <CLI/CLI.hpp>
#include <cstddef>
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/options.hpp"
#include "apps/common/program.hpp"
#include "apps/report/figures.hpp"
#include "apps/report/page.hpp"
#include "apps/report/run_data.hpp"

namespace {

struct Options : apps::ReportOptions {
  std::string run;
  std::string html;
  std::string svg;  // folders; empty: none
  std::string png;
};

// No ranks: only this process reads the command line.
struct Alone {
  [[nodiscard]] static int rank() { return 0; }
  [[nodiscard]] static std::string broadcast(std::string text) { return text; }
};

// run.json.gz becomes run.html.
std::string page_beside(std::string name) {
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  if (name.ends_with(".json")) name.resize(name.size() - 5);
  return name + ".html";
}

void add_folder(CLI::App& app, const std::string& option, std::string& folder,
                const std::string& help) {
  app.add_option(option, folder, help)
      ->take_last()
      ->type_name("FOLDER")
      ->check(apps::refuse_no_name);
}

void make_folder(const std::string& option, const std::string& folder) {
  if (folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder)) {
    throw CLI::ValidationError(option + ' ' + folder, "cannot be made: " + error.message());
  }
}

std::vector<std::string> draw_all(const std::vector<apps::Figure>& figures, apps::Image kind) {
  std::vector<std::string> images;
  images.reserve(figures.size());
  for (const apps::Figure& figure : figures) {
    images.push_back(figure.script.empty()
                         ? std::string()
                         : apps::draw(figure.name, figure.script, figure.size, kind));
  }
  return images;
}

void write_folder(const std::string& option, const std::string& folder, const std::string& suffix,
                  const std::vector<apps::Figure>& figures,
                  const std::vector<std::string>& images) {
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (images[i].empty()) continue;
    const auto file = std::filesystem::path(folder) / (figures[i].name + suffix);
    apps::write_output(option, file.string(), [&](std::ostream& out) { out << images[i]; });
  }
}

int report(int argc, char** argv) {
  CLI::App app(
      "Pictures of a run, from what a belay program wrote with --json or --trace: a page for a "
      "browser, or images for a paper. They are drawn by gnuplot.",
      "belay-report");
  Options options;
  app.add_option("FILE", options.run, "report or trace, gzip too")->required();
  options.inputs.push_back(&options.run);
  apps::add_output(
      app, options, "--html", options.html,
      "write one page there, - for stdout; default, unless images are wanted: beside FILE");
  add_folder(app, "--svg", options.svg, "write each figure there as SVG; default: none");
  add_folder(app, "--png", options.png, "write each figure there as PNG; default: none");
  app.callback([&] {
    if (options.html.empty() && options.svg.empty() && options.png.empty()) {
      options.html = page_beside(options.run);
    }
    make_folder("--svg", options.svg);
    make_folder("--png", options.png);
  });
  if (const auto status = apps::parse(Alone{}, app, options, argc, argv)) return *status;

  const apps::RunData run = apps::read_run(options.run);
  const std::vector<apps::Figure> figures = apps::figures_of(run);
  if (!options.html.empty() || !options.svg.empty()) {
    const std::vector<std::string> svgs = draw_all(figures, apps::Image::svg);
    apps::write_output("--html", options.html,
                       [&](std::ostream& out) { out << apps::page_of(run, figures, svgs); });
    if (!options.svg.empty()) write_folder("--svg", options.svg, ".svg", figures, svgs);
  }
  if (!options.png.empty()) {
    write_folder("--png", options.png, ".png", figures, draw_all(figures, apps::Image::png));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int alone = 0;
  return apps::status_or_line("belay-report", alone, [&] { return report(argc, argv); });
}
