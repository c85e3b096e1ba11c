#include "apps/common/options.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace apps {

namespace {

// "--random-steals" is BELAY_RANDOM_STEALS in the environment.
std::string environment_name(const std::string& option) {
  std::string name = "BELAY_" + option.substr(2);
  for (char& c : name) {
    c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

// One line per option: no remarks on environment and kind of value between name and meaning.
class Formatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const bool named = option->nonpositional();
    return named && !option->get_type_name().empty() ? ' ' + option->get_type_name() : "";
  }
};

// Makes them options that the programs have in common, also set from the environment.
void share(const std::vector<CLI::Option*>& options) {
  for (CLI::Option* option : options) {
    option->envname(environment_name(option->get_name()))->group("Options of all belay programs");
  }
}

// Throws unless the file can be written. Leaves no trace: what it may hold is only replaced
// after a run that succeeded.
void require_writable(const std::string& option, const std::string& file) {
  if (file.empty() || file == "-") return;
  namespace fs = std::filesystem;
  std::error_code ignored;
  const bool existed = fs::exists(fs::symlink_status(file, ignored));
  errno = 0;
  if (!std::ofstream(file, std::ios::app)) {
    throw std::invalid_argument(option + ' ' + file +
                                ": cannot be written: " + std::generic_category().message(errno));
  }
  if (!existed) fs::remove(file, ignored);
}

bool same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  if (a.empty() || b.empty()) return false;
  std::error_code ignored;
  return a == b || fs::equivalent(a, b, ignored) ||
         (a != "-" && b != "-" &&
          fs::weakly_canonical(a, ignored) == fs::weakly_canonical(b, ignored));
}

// Nothing would be left of one of them.
void require_different_files(const ReportOptions& options) {
  for (std::size_t i = 0; i < options.outputs.size(); ++i) {
    const auto& [option, name] = options.outputs[i];
    for (std::size_t j = 0; j < i; ++j) {
      if (!same_file(*name, *options.outputs[j].second)) continue;
      throw std::invalid_argument(options.outputs[j].first + ' ' + *options.outputs[j].second +
                                  " and " + option + ' ' + *name + ": must be different files");
    }
    for (const std::string* input : options.inputs) {
      if (*name == "-" || !same_file(*name, *input)) continue;
      throw std::invalid_argument(option + ' ' + *name + ": must not be the file that is read");
    }
  }
}

// The options given, wherever they came from, as arguments: positional ones last, behind "--".
std::string normal_form(const CLI::App& app) {
  std::string options;
  std::string positional;
  const auto add = [](std::string& to, const std::string& argument) { (to += argument) += '\0'; };
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& value : option->results()) {
      if (!option->nonpositional()) {
        add(positional, value);
      } else if (!option->get_lnames().empty()) {
        add(options, "--" + option->get_lnames().front() + '=' + value);
      } else {
        add(options, '-' + option->get_snames().front());
        add(options, value);
      }
    }
  }
  if (!positional.empty()) add(options, "--");
  return options + positional;
}

}  // namespace

void add_common_options(CLI::App& app, CommonOptions& options) {
  constexpr auto kMaxCount = std::numeric_limits<std::uint32_t>::max();
  belay::Parameters& p = options.parameters;
  add_plain_options(app, p.threads, 4096,
                    "workers per rank; default: one per core of the rank's share of its host",
                    options);
  share({add_number(app, "--quantum", p.quantum, 1, kMaxCount,
                    "n, tasks between two looks around; default auto: a few microseconds' worth",
                    "auto"),
         add_choice(app, "--policy", p.policy, kPolicyNames,
                    "whom to ask for work; default lifeline: idle ranks then send nothing"),
         add_number(app, "--random-steals", p.random_steals, 0, 1'000'000,
                    "w, random victims asked before lifelines; default 1: three gain nothing"),
         add_number(app, "--lifelines", p.lifelines, 1, 64,
                    "z, dimensions of the lifeline graph; default 3: six gain nothing"),
         add_number(app, "--steal", p.steal, 1, std::numeric_limits<std::size_t>::max(),
                    "k, tasks per steal; default half: it adapts to what is there", "half"),
         add_choice(app, "--prefetch", p.prefetch, kPrefetchNames,
                    "whom to ask before work runs out; default random: the least is lost"),
         add_choice<bool>(app, "--bind", p.bind, {{"cores", true}, {"none", false}},
                          "each worker to a core; default cores: a moved worker loses its caches"),
         add_number(app, "--seed", p.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                    "of the choice of victims; default 1: the result does not depend on it"),
         app.add_flag("--verify", options.verify,
                      "check the result even where that takes a sequential run; default: no"),
         app.add_flag("--stats", options.stats,
                      "print what was counted and where the time went; default: a line per rank"),
         add_output(app, options, "--trace", options.trace,
                    "write what each thread did when there; FILE.gz: compressed; default: none"),
         add_number(app, "--trace-events", options.trace_events, 1, 1U << 30U,
                    "of each thread, the latest, 40 bytes each; default 100000"),
         add_choice<ProgressWhen>(
             app, "--progress", options.progress,
             {{"auto", ProgressWhen::automatic},
              {"on", ProgressWhen::on},
              {"off", ProgressWhen::off}},
             "a line per second; default auto: at a terminal; with mpirun say on")});
}

std::string refuse_no_name(const std::string& name) {
  return name.empty() ? "must be the name of a file" : "";
}

CLI::Option* add_output(CLI::App& app, ReportOptions& options, const std::string& option,
                        std::string& name, const std::string& help) {
  options.outputs.emplace_back(option, &name);
  return app.add_option(option, name, help)->take_last()->type_name("FILE")->check(refuse_no_name);
}

void write_output(const std::string& option, const std::string& name,
                  const std::function<void(std::ostream&)>& write) {
  if (name.empty()) return;
  errno = 0;
  std::ofstream file;
  if (name != "-") file.open(name, std::ios::trunc);
  std::ostream& out = name == "-" ? std::cout : file;
  write(out);
  out.flush();
  if (!out) {
    throw std::runtime_error(option + ' ' + name +
                             ": cannot be written: " + std::generic_category().message(errno));
  }
}

void add_plain_options(CLI::App& app, int& threads, int max_threads, const std::string& help,
                       ReportOptions& options) {
  share({add_number(app, "--threads", threads, 1, max_threads, help),
         add_output(app, options, "--json", options.json,
                    "write a report there, - for stdout; default: none"),
         app.add_flag("--quiet", options.quiet,
                      "print errors only; default: report on stdout, on stderr with --json -")});
  app.footer(app.get_footer() +
             "In the environment --threads is BELAY_THREADS, and so on; the command line wins.");
  app.formatter(std::make_shared<Formatter>());
  app.get_formatter()->column_width(24);
}

namespace detail {

std::string Verdict::pack() const {
  return (status ? std::to_string(*status) : "") + '\0' + arguments;
}

Verdict Verdict::unpack(const std::string& packed) {
  const std::size_t end = packed.find('\0');
  const std::string status = packed.substr(0, end);
  return {status.empty() ? std::nullopt : std::optional(std::stoi(status)), packed.substr(end + 1)};
}

Verdict parse_first(CLI::App& app, const ReportOptions& options, int argc, const char* const* argv,
                    std::ostream& out, std::ostream& err) {
  try {
    app.parse(argc, argv);
    require_different_files(options);
    for (const auto& [option, name] : options.outputs) require_writable(option, *name);
    return {std::nullopt, normal_form(app)};
  } catch (const CLI::CallForHelp&) {
    out << app.help() << std::flush;
    return {0, {}};
  } catch (const std::exception& error) {
    std::string line = error.what();
    std::ranges::replace(line, '\n', ' ');
    err << app.get_name() << ": " << line << std::endl;
    return {kBadInput, {}};
  }
}

void parse_normal_form(CLI::App& app, const std::string& arguments) {
  for (CLI::Option* option : app.get_options()) option->envname("");
  std::vector<std::string> list;
  std::istringstream stream(arguments);
  for (std::string argument; std::getline(stream, argument, '\0');) list.push_back(argument);
  std::ranges::reverse(list);  // as CLI11 wants it
  app.parse(list);
}

void refuse(const CLI::App& app, const std::string& name, const std::string& text,
            const std::string& allowed) {
  const std::string environment = app.get_option(name)->get_envname();
  const char* const value = environment.empty() ? nullptr : std::getenv(environment.c_str());
  const bool from_there = value != nullptr && text == value;
  throw CLI::ValidationError(from_there ? environment + '=' + text : name + ' ' + text,
                             "must be " + allowed);
}

}  // namespace detail

}  // namespace apps
