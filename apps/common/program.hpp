// The frame of a belay program: one session, and whatever is thrown becomes one line and an
// exit status.
//
// A program always returns from main, on every rank, so that MPI ends in order; nothing calls
// exit() or aborts. What was lost of stdout is a failure too.
#pragma once

#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

#include "apps/common/options.hpp"

namespace apps {

// The status that body() returns; if it throws, the status for that, after one line on stderr if
// `rank` is 0 by then.
template <class Body>
int status_or_line(const std::string& program, const int& rank, Body body) {
  const auto fail = [&](const std::exception& error, int status) {
    if (rank == 0) std::cerr << program << ": " << error.what() << std::endl;
    return status;
  };
  try {
    const int status = body();
    if (status == 0 && !std::cout.flush()) throw std::runtime_error("stdout: cannot be written");
    return status;
  } catch (const std::invalid_argument& error) {
    return fail(error, kBadInput);
  } catch (const std::exception& error) {
    return fail(error, kFailed);
  }
}

// body(session, argc, argv) returns the exit status. What a run throws it throws on all ranks;
// rank 0 speaks. Session: belay::Session, or another whose constructor and rank() are alike.
template <class Session, class Body>
int run_program(const std::string& program, int argc, char** argv, Body body) {
  int rank = 0;
  return status_or_line(program, rank, [&] {
    Session session(argc, argv);
    rank = session.rank();
    // Said while the session lives: once it has ended, another rank's exit has rank 0 killed.
    return status_or_line(program, rank, [&] { return body(session, argc, argv); });
  });
}

}  // namespace apps
