#include "belay/inter/protocol/engine.hpp"

#include "belay/core/errors.hpp"

namespace belay {

void Engine::handle_local(const LocalState& state, Actions& actions) {
  if (!decided()) {
    steals_.handle_local(state, actions);
    termination_.advance(state.idle, steals_.loot(), actions);
  }
  if (decided()) {
    steals_.close();
    termination_.advance(steals_.quiet(), steals_.loot(), actions);
  }
}

void Engine::handle_message(int from, const Message& message, const LocalState& state,
                            Actions& actions) {
  switch (message.kind) {
    case MessageKind::request:
      steals_.handle_request(message, state, actions);
      return;
    case MessageKind::refusal:
      steals_.handle_refusal(from, message);
      return;
    case MessageKind::loot:
      steals_.handle_loot(from, message);
      return;
    case MessageKind::ask:
      termination_.handle_ask(message, actions);
      if (decided()) steals_.close();
      return;
    case MessageKind::vote:
      termination_.handle_vote(from, message);
      return;
    case MessageKind::report:
      termination_.handle_report(from, message);
      return;
  }
  BELAY_CHECK(false, static_cast<int>(message.kind));
}

}  // namespace belay
