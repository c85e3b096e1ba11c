// Runs a scenario on many schedules.
//
// A scenario is a class, constructed anew for every execution. Threads 0 to kThreads - 1
// execute run(i), then check() looks at what is left. Its kStarts says how many more threads
// run() may start. It says what is wrong through require(); data races on Plain variables,
// deadlocks, executions that never end, memory not freed and use after free are found anyway.
#pragma once

#include <cstdint>
#include <iostream>
#include <memory>
#include <ostream>

#include "tests/intra/model/atomics.hpp"

namespace belay::model {

template <class Scenario>
class Suite : public rl::test_suite<Suite<Scenario>, Scenario::kThreads> {
 public:
  static constexpr rl::thread_id_t dynamic_thread_count = Scenario::kStarts;
#pragma push_macro("thread")
#undef thread
  void thread(unsigned index) { scenario_->run(index); }
#pragma pop_macro("thread")
  void after() { scenario_->check(); }

 private:
  std::unique_ptr<Scenario> scenario_ = std::make_unique<Scenario>();
};

// Which executions to look at.
class Search {
 public:
  // Schedules and values drawn at random; as many on every machine and in every run.
  static Search random(std::uint64_t executions) {
    return {rl::random_scheduler_type, executions, 0, std::to_string(executions) + " at random"};
  }
  // Every execution in which threads are interrupted at most so many times.
  static Search interrupted(unsigned times) {
    return {rl::fair_context_bound_scheduler_type, 0, times,
            "all with " + std::to_string(times) + " interruptions"};
  }
  // Every execution.
  static Search all() { return {rl::fair_full_search_scheduler_type, 0, 0, "all"}; }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] rl::test_params parameters(std::ostream& out) const {
    rl::test_params parameters;
    parameters.search_type = type_;
    parameters.iteration_count = executions_;
    parameters.context_bound = interruptions_;
    parameters.execution_depth_limit = 10'000;
    parameters.output_stream = &out;
    parameters.progress_stream = &out;
    return parameters;
  }

 private:
  Search(rl::scheduler_type_e type, std::uint64_t executions, unsigned interruptions,
         std::string name)
      : type_(type),
        executions_(executions),
        interruptions_(interruptions),
        name_(std::move(name)) {}

  rl::scheduler_type_e type_;
  std::uint64_t executions_;
  unsigned interruptions_;
  std::string name_;
};

struct Outcome {
  rl::test_result_e result;
  std::uint64_t executions;  // the last one failed, if any
  rl::string state;          // from which that one can be repeated

  [[nodiscard]] bool failed() const { return result != rl::test_result_success; }
  [[nodiscard]] const char* name() const { return rl::test_result_str(result); }
};

template <class Scenario>
Outcome explore(const Search& search) {
  orders();  // made outside of the model, which watches what is allocated in it
  std::ostream nowhere(nullptr);
  rl::test_params parameters = search.parameters(nowhere);
  rl::simulate<Suite<Scenario>>(parameters);
  return {parameters.test_result, parameters.stop_iteration, parameters.final_state};
}

// Every execution went well. If not, prints the one that did not, access by access.
template <class Scenario>
testing::AssertionResult holds(const Search& search) {
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = explore<Scenario>(search);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  std::cout << "executions: " << outcome.executions << " (" << search.name() << "), "
            << time.count() << " s" << std::endl;
  if (!outcome.failed()) return testing::AssertionSuccess();
  rl::test_params parameters = search.parameters(std::cout);
  parameters.initial_state = outcome.state;
  parameters.collect_history = true;
  rl::simulate<Suite<Scenario>>(parameters);
  return testing::AssertionFailure() << outcome.name() << " in execution " << outcome.executions;
}

}  // namespace belay::model
