// What runs leave behind in memory: nothing that grows with their number.
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <belay/belay.hpp>
#include <cstddef>
#include <fstream>

#include "apps/fib/fib.hpp"
#include "belay/inter/mpi/mpi_ranks.hpp"

namespace belay {
namespace {

std::ptrdiff_t resident_bytes() {
  std::ptrdiff_t all = 0;
  std::ptrdiff_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

TEST(Memory, DoesNotGrowWithTheNumberOfRuns) {
  Session session(MPI_COMM_WORLD);
  Parameters parameters;
  parameters.threads = 2;
  parameters.quantum = 4;  // many chunks
  const auto run_often = [&](int times) {
    for (int i = 0; i < times; ++i) {
      ASSERT_EQ(run(session, apps::Fib{}, at_root(12), parameters), 144);
    }
  };
  run_often(200);  // until the allocators have what they need
  const auto before = resident_bytes();
  run_often(1000);
  const auto grown = resident_bytes() - before;
  RecordProperty("grown_bytes", std::to_string(grown));
  EXPECT_LT(grown, 512 * 1024) << "0.5 KiB a run";
  int left = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, dynamic_cast<MpiRanks&>(session.ranks()).communicator(),
             &left, MPI_STATUS_IGNORE);
  EXPECT_EQ(left, 0) << "messages";
}

}  // namespace
}  // namespace belay
