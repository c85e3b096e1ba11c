// write_made_up_runs FOLDER: reports and traces of a small and of a large run that never were, for
// the tests of belay-report as a program.
#include <fstream>
#include <string>

#include "tests/apps/report/made_up_run.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  const auto write = [&](const std::string& name, const apps::test::MadeUpRun& run) {
    return (std::ofstream(folder + '/' + name + ".json") << report_of(run).dump(1)).good() &&
           (std::ofstream(folder + '/' + name + ".trace.json") << trace_of(run)).good();
  };
  return write("small", apps::test::make_up_run(2, 2)) &&
                 write("large", apps::test::make_up_run(8, 50))
             ? 0
             : 1;
}
