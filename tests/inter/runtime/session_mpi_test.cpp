// Sessions on hosts that are not this one: hwloc takes a made-up machine for the one at hand, so
// that the system refuses to bind to units beyond its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <belay/belay.hpp>
#include <cstdlib>
#include <string>
#include <vector>

namespace belay {
namespace {

using testing::HasSubstr;

constexpr const char* kEightCores = "core:8 pu:1(indexes=1000,1001,1002,1003,1004,1005,1006,1007)";

class Host {
 public:
  explicit Host(const std::string& topology) {
    setenv("HWLOC_SYNTHETIC", topology.c_str(), 1);
    setenv("HWLOC_THISSYSTEM", "1", 1);
  }
  ~Host() {
    unsetenv("HWLOC_SYNTHETIC");
    unsetenv("HWLOC_THISSYSTEM");
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
};

struct Nothing {
  using Task = int;
  using Result = long;
  void operator()(Task, Spawn<Task>&, Result&) const {}
  static void reduce(Result&, Result&&) {}
};

// What two runs of a session on such a host say on stderr.
std::string said_by_two_runs(const std::string& topology, int threads, bool bind) {
  const Host host(topology);
  Session session(MPI_COMM_WORLD);
  Parameters parameters;
  parameters.threads = threads;
  parameters.bind = bind;
  testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i) run(session, Nothing{}, on_each_rank(1), parameters);
  return testing::internal::GetCapturedStderr();
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

int rank() {
  int number = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  return number;
}

TEST(Session, RanksGivenTheSameCoresDivideThem) {
  const Host host(kEightCores);
  const Session session(MPI_COMM_WORLD);
  std::vector<int> taken(8);
  int workers = 1;
  while (session.cores().unit(0, workers + 1)) ++workers;
  EXPECT_GE(workers, 8 / session.size());
  for (int worker = 0; worker < workers; ++worker) {
    ++taken.at(session.cores().unit(worker, workers).value() - 1000);
  }
  MPI_Allreduce(MPI_IN_PLACE, taken.data(), 8, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(taken, std::vector<int>(8, 1)) << "each core is one rank's";
}

TEST(Session, FailedBindingIsOneWarningAndTheRunGoesOn) {
  const std::string said = said_by_two_runs(kEightCores, 2, true);
  EXPECT_EQ(count(said, "cannot be bound"), 1) << said;
  EXPECT_THAT(said, HasSubstr("belay: warning: rank " + std::to_string(rank()) + ": worker "));
  EXPECT_THAT(said, HasSubstr(" cannot be bound to a core: Invalid argument\n"));
}

TEST(Session, WithoutBindingNoneFails) {
  EXPECT_EQ(count(said_by_two_runs(kEightCores, 2, false), "cannot be bound"), 0);
}

TEST(Session, TooManyWorkersAreOneWarningAndNoFailureToBind) {
  const std::string said = said_by_two_runs(kEightCores, 9, true);
  EXPECT_EQ(count(said, "belay: warning: 9 workers on rank 0 share "), rank() == 0 ? 1 : 0) << said;
  EXPECT_EQ(count(said, "warning"), rank() == 0 ? 1 : 0) << said;
}

TEST(Session, ASingleCoreOfManyIsALaunchersDoing) {
  const auto own = static_cast<int>(Cores().unit(0, 1).value());
  const std::string said =
      said_by_two_runs("core:2 pu:1(indexes=" + std::to_string(own) + ",1000)", 2, true);
  if (rank() == 0) {
    EXPECT_EQ(said,
              "belay: warning: 2 workers on rank 0 share 1 core, the only one that the launcher "
              "gave it; for more: --bind-to none (Open MPI), -bind-to none (MPICH), "
              "--cpus-per-task (Slurm)\n");
  } else {
    EXPECT_EQ(said, "");
  }
  const std::string of_one = said_by_two_runs("core:1 pu:1(indexes=1000)", 2, true);
  EXPECT_EQ(of_one, rank() == 0 ? "belay: warning: 2 workers on rank 0 share 1 core\n" : "");
}

}  // namespace
}  // namespace belay
