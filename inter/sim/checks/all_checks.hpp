// AllChecks: all that is watched for while a simulation runs, in one object.
#pragma once

#include <initializer_list>

#include "belay/inter/sim/checks/loot_was_worked_on.hpp"
#include "belay/inter/sim/checks/no_early_end.hpp"
#include "belay/inter/sim/checks/no_message_left.hpp"
#include "belay/inter/sim/checks/nothing_after_the_decision.hpp"
#include "belay/inter/sim/checks/one_loot_per_lifeline.hpp"
#include "belay/inter/sim/checks/one_outcome.hpp"
#include "belay/inter/sim/checks/one_request_at_a_time.hpp"
#include "belay/inter/sim/checks/remembered_thieves_first.hpp"
#include "belay/inter/sim/checks/the_end_comes.hpp"
#include "belay/inter/sim/simulation_options.hpp"

namespace belay::sim {

struct AllChecks {
  explicit AllChecks(const SimulationOptions& options)
      : no_message_left(options.nodes),
        nothing_after_the_decision(options.nodes),
        one_request_at_a_time(options.nodes),
        remembered_thieves_first(options),
        the_end_comes(options) {}

  // For one simulation with the options given above; this object must outlive it.
  void attach_to(SimulationOptions& options) {
    for (Observer* check : std::initializer_list<Observer*>{
             &no_early_end, &no_message_left, &nothing_after_the_decision, &one_loot_per_lifeline,
             &loot_was_worked_on, &one_request_at_a_time, &one_outcome, &remembered_thieves_first,
             &the_end_comes}) {
      options.observers.push_back(check);
    }
  }

  NoEarlyEnd no_early_end;
  NoMessageLeft no_message_left;
  NothingAfterTheDecision nothing_after_the_decision;
  OneLootPerLifeline one_loot_per_lifeline;
  LootWasWorkedOn loot_was_worked_on;
  OneRequestAtATime one_request_at_a_time;
  OneOutcome one_outcome;
  RememberedThievesFirst remembered_thieves_first;
  TheEndComes the_end_comes;
};

}  // namespace belay::sim
