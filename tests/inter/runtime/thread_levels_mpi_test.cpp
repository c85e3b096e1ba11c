// A program that initialised MPI itself, with the level that its argument names: belay works with
// all but MPI_THREAD_SINGLE, and says what is wrong when it cannot.
#include <mpi.h>

#include <belay/belay.hpp>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>

#include "apps/fib/fib.hpp"

namespace {

struct Level {
  const char* name;
  int value;
};
constexpr Level kLevels[] = {{"SINGLE", MPI_THREAD_SINGLE},
                             {"FUNNELED", MPI_THREAD_FUNNELED},
                             {"SERIALIZED", MPI_THREAD_SERIALIZED},
                             {"MULTIPLE", MPI_THREAD_MULTIPLE}};

// What the call throws, or nothing.
template <class Call>
std::string thrown_by(Call&& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

// Empty if all is as it should be.
std::string check(int level) {
  if (level == MPI_THREAD_SINGLE) {
    const std::string message = thrown_by([] { belay::Session session(MPI_COMM_WORLD); });
    return contains(message, "MPI_THREAD_SINGLE") ? "" : "said: " + message;
  }
  belay::Session session(MPI_COMM_WORLD);
  belay::Parameters parameters;
  parameters.threads = 2;
  const auto fib = [&](int n) {
    return belay::run(session, apps::Fib{}, belay::at_root(n), parameters);
  };
  if (fib(18) != 2584) return "wrong result";
  // From another thread, while this one waits.
  std::string message;
  long result = 0;
  std::thread([&] { message = thrown_by([&] { result = fib(18); }); }).join();
  if (level == MPI_THREAD_FUNNELED) {
    if (!contains(message, "MPI_THREAD_FUNNELED")) return "said: " + message;
    return fib(15) == 610 ? "" : "no run after the refused one";
  }
  return message.empty() && result == 2584 ? "" : "from another thread: " + message;
}

}  // namespace

int main(int argc, char** argv) {
  for (const Level& level : kLevels) {
    if (argc != 2 || std::strcmp(argv[1], level.name) != 0) continue;
    int provided = 0;
    MPI_Init_thread(&argc, &argv, level.value, &provided);
    // A library may give more than it was asked for, or less.
    const std::string wrong = check(provided);
    MPI_Finalize();
    if (!wrong.empty()) std::fprintf(stderr, "%s: %s\n", level.name, wrong.c_str());
    return wrong.empty() ? 0 : 1;
  }
  return 2;
}
