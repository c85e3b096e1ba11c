// The command line that all belay programs share.
//
// Rank 0 alone reads arguments and environment (BELAY_THREADS for --threads, and so on; the
// command line wins) and decides whether the program goes on. What it understood is sent to
// the other ranks as a command line in normal form, so that no two ranks can disagree, whatever
// the launcher passed on to them. What is wrong is said once, by rank 0, in one line.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <functional>
#include <iomanip>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "belay/core/parameters.hpp"

namespace apps {

// Exit statuses besides 0: a run that failed or a wrong result, and bad input.
inline constexpr int kFailed = 1;
inline constexpr int kBadInput = 2;

// What --policy and --prefetch call them.
inline const std::vector<std::pair<std::string, belay::PolicyKind>> kPolicyNames{
    {"lifeline", belay::PolicyKind::lifeline},
    {"random", belay::PolicyKind::random},
    {"ring", belay::PolicyKind::ring}};
inline const std::vector<std::pair<std::string, belay::Prefetch>> kPrefetchNames{
    {"random", belay::Prefetch::random},
    {"ring", belay::Prefetch::ring},
    {"off", belay::Prefetch::off}};

// What such a list calls a value that it has.
template <class Value>
const std::string& name_of(const std::vector<std::pair<std::string, Value>>& names, Value value) {
  return std::ranges::find(names, value, &std::pair<std::string, Value>::second)->first;
}

struct ReportOptions {
  std::string json;    // file for the report, "-" for stdout; empty: none
  bool quiet = false;  // print nothing but errors
  // Options that name files to be written at the end, and the names they were given. Rank 0 sees
  // to it before anything runs that they can be.
  std::vector<std::pair<std::string, const std::string*>> outputs{};
  // Names of files that are read, which are no place for outputs.
  std::vector<const std::string*> inputs{};
};

// When a run shows how far it is: at a terminal and only if it is long, always, or never.
enum class ProgressWhen : std::uint8_t { automatic, on, off };

struct CommonOptions : ReportOptions {
  belay::Parameters parameters;
  bool stats = false;                    // print every counter
  std::string trace;                     // file for the trace; empty: none
  std::uint32_t trace_events = 100'000;  // of each thread
  ProgressWhen progress = ProgressWhen::automatic;
  bool verify = false;  // a result for which no right one is known is computed again, sequentially
};

// Adds --threads, --quantum, --policy, --random-steals, --lifelines, --steal, --prefetch, --bind,
// --seed, --verify, --stats, --trace, --trace-events, --progress, --json and --quiet.
// `options` must live as long as `app`.
void add_common_options(CLI::App& app, CommonOptions& options);

// Of an option or argument that names a file: what is wrong with no name, for CLI::Option::check().
std::string refuse_no_name(const std::string& name);

// An option that names a file to be written at the end, "-" for stdout. `name` must live as long as
// `options`.
CLI::Option* add_output(CLI::App& app, ReportOptions& options, const std::string& option,
                        std::string& name, const std::string& help);

// Has write(stream) write the file that the option named, if any. Throws std::runtime_error with
// both if it cannot be written.
void write_output(const std::string& option, const std::string& name,
                  const std::function<void(std::ostream&)>& write);

// For programs that do without belay's scheduler: --threads, 1 to max_threads, with this help,
// --json and --quiet.
void add_plain_options(CLI::App& app, int& threads, int max_threads, const std::string& help,
                       ReportOptions& options);

namespace detail {

// What rank 0 decided: an exit status, or the command line in normal form.
struct Verdict {
  std::optional<int> status;
  std::string arguments;  // each ends with a zero byte: no argument contains one

  [[nodiscard]] std::string pack() const;
  [[nodiscard]] static Verdict unpack(const std::string& packed);
};

// On rank 0. Help goes to `out`, what is wrong to `err`.
[[nodiscard]] Verdict parse_first(CLI::App& app, const ReportOptions& options, int argc,
                                  const char* const* argv, std::ostream& out, std::ostream& err);

// On the other ranks, whose own environment is not looked at.
void parse_normal_form(CLI::App& app, const std::string& arguments);

// Throws what becomes "OPTION TEXT: must be ALLOWED", naming the environment if TEXT is from there.
[[noreturn]] void refuse(const CLI::App& app, const std::string& name, const std::string& text,
                         const std::string& allowed);

}  // namespace detail

// Collective. Nothing: the options are set, on all ranks alike. Otherwise the status to return
// from main: 0 after --help, 2 after bad input.
//
// A Session has rank() and broadcast(std::string), which returns rank 0's string on every rank.
template <class Session>
[[nodiscard]] std::optional<int> parse(const Session& session, CLI::App& app,
                                       const ReportOptions& options, int argc,
                                       const char* const* argv) {
  std::string packed;
  if (session.rank() == 0) {
    packed = detail::parse_first(app, options, argc, argv, std::cout, std::cerr).pack();
  }
  const auto verdict = detail::Verdict::unpack(session.broadcast(packed));
  if (session.rank() != 0 && !verdict.status) detail::parse_normal_form(app, verdict.arguments);
  return verdict.status;
}

namespace detail {

// Enumerators are given by their numbers.
template <class Value>
using NumberFor = std::conditional_t<std::is_enum_v<Value>, int, Value>;

}  // namespace detail

// An option (or an argument, if the name has no dashes) that sets `value` to a number from low
// to high, or to 0 if it is `word`; given twice, the last one counts. `value` must live as long as
// `app`.
template <class Value>
CLI::Option* add_number(CLI::App& app, const std::string& name, Value& value,
                        detail::NumberFor<Value> low, detail::NumberFor<Value> high,
                        const std::string& help, const std::string& word = {}) {
  using Number = detail::NumberFor<Value>;
  const auto set = [&app, &value, name, low, high, word](const CLI::results_t& texts) {
    const std::string& text = texts.front();
    Number number{};
    if (word.empty() || text != word) {
      const char* const end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(text.data(), end, number);
      const bool in_range = number >= low && number <= high;  // NaN is not
      if (error != std::errc{} || stop != end || !in_range) {
        std::ostringstream allowed;
        if (!word.empty()) allowed << word << " or ";
        allowed << (std::integral<Number> ? "a whole number" : "a number") << " from "
                << std::setprecision(10) << low << " to " << high;
        detail::refuse(app, name, text, allowed.str());
      }
    }
    value = static_cast<Value>(number);
    return true;
  };
  return app.add_option(name, CLI::callback_t(set), help)
      ->take_last()
      ->type_name(word.empty() ? "N" : word + "|N");
}

// An option that sets `value` to what goes by the given name; given twice, the last one counts.
// `value` must live as long as `app`.
template <class Value>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Value& value,
                        const std::vector<std::pair<std::string, Value>>& choices,
                        const std::string& help) {
  std::string shown;
  std::string allowed;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    shown += (i > 0 ? "|" : "") + choices[i].first;
    allowed += (i == 0 ? "" : i + 1 < choices.size() ? ", " : " or ") + choices[i].first;
  }
  const auto set = [&app, &value, name, choices, allowed](const CLI::results_t& texts) {
    const auto found = std::find_if(choices.begin(), choices.end(), [&](const auto& choice) {
      return choice.first == texts.front();
    });
    if (found == choices.end()) detail::refuse(app, name, texts.front(), allowed);
    value = found->second;
    return true;
  };
  return app.add_option(name, CLI::callback_t(set), help)->take_last()->type_name(shown);
}

}  // namespace apps
