// The frame of a belay program: one session, and whatever is thrown becomes one line and an
// exit status.
//
// A program always returns from main, on every rank, so that MPI ends in order; nothing calls
// exit() or aborts.
#pragma once

#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

#include "apps/common/options.hpp"

namespace apps {

// Thrown by a body that was stopped and has said so.
struct EndedBySignal {
  int signal;
};

// body(session, argc, argv) returns the exit status. What a run throws it throws on all ranks;
// rank 0 speaks. Session: belay::Session, or another whose constructor and rank() are alike.
template <class Session, class Body>
int run_program(const std::string& program, int argc, char** argv, Body body) {
  int rank = 0;
  const auto fail = [&](const std::exception& error, int status) {
    if (rank == 0) std::cerr << program << ": " << error.what() << std::endl;
    return status;
  };
  try {
    Session session(argc, argv);
    rank = session.rank();
    return body(session, argc, argv);
  } catch (const EndedBySignal& ended) {
    return 128 + ended.signal;
  } catch (const std::invalid_argument& error) {
    return fail(error, kBadInput);
  } catch (const std::exception& error) {
    return fail(error, kFailed);
  }
}

}  // namespace apps
