#include "belay/inter/runtime/session.hpp"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "belay/inter/transport/alone.hpp"

#ifdef BELAY_WITH_MPI
#include "belay/inter/mpi/mpi_ranks.hpp"
#endif

namespace belay {

namespace {

std::unique_ptr<Ranks> all_ranks([[maybe_unused]] int& argc, [[maybe_unused]] char**& argv) {
#ifdef BELAY_WITH_MPI
  return std::make_unique<MpiRanks>(argc, argv);
#else
  return std::make_unique<Alone>();
#endif
}

}  // namespace

Session::Session() : Session(std::make_unique<Alone>()) {}

Session::Session(int& argc, char**& argv) : Session(all_ranks(argc, argv)) {}

#ifdef BELAY_WITH_MPI
Session::Session(MPI_Comm communicator) : Session(std::make_unique<MpiRanks>(communicator)) {}
#endif

// Ranks of this host that were given the very same cores divide them, and those below the cgroup
// with the smallest quota divide that; ranks that the launcher bound to different cores keep what
// they were given.
Session::Session(std::unique_ptr<Ranks> ranks) : ranks_(std::move(ranks)), host_(ranks_->host()) {
  const Cores::Grant mine = cores_.grant();
  const auto mates = ranks_->gather_on_host({mine.cores, mine.quota});
  std::vector<Cores::Grant> grants;
  for (const auto& [cores, quota] : mates.words) grants.push_back({cores, quota});
  cores_.divide(grants, mates.mine);
}

Session::~Session() = default;

std::string Session::mpi_library() {
#ifdef BELAY_WITH_MPI
  return MpiRanks::library();
#else
  return "none";
#endif
}

Session::Hold::Hold(Session& session) : session_(&session) {
  session.ranks_->check_caller();
  if (session.running_.exchange(true)) {
    throw std::logic_error("run() was called while a run of the same session is going on");
  }
  run_number_ = ++session.runs_;
}

void Session::abort(const std::string& why) const {
  std::fprintf(stderr, "belay: rank %d: %s\n", rank(), why.c_str());
  ranks_->abort();
  std::abort();
}

void Session::warn_of_shared_cores(int workers) {
  if (warned_of_shared_cores_ || rank() != 0) return;
  warned_of_shared_cores_ = true;
  if (workers <= cores_.count()) {
    std::fprintf(stderr, "belay: warning: the host of rank 0 has more ranks than cores\n");
    return;
  }
  const char* const remedy =
      cores_.given_one_of_many()
          ? ", the only one that the launcher gave it; for more: --bind-to none (Open MPI), "
            "-bind-to none (MPICH), --cpus-per-task (Slurm)"
          : "";
  std::fprintf(stderr, "belay: warning: %d workers on rank 0 share %d core%s%s\n", workers,
               cores_.count(), cores_.count() == 1 ? "" : "s", remedy);
}

void Session::warn_of_failed_binding(int worker, const std::error_code& why) {
  // Relaxed: it picks who speaks, and orders nothing.
  if (warned_of_failed_binding_.exchange(true, std::memory_order_relaxed)) return;
  std::fprintf(stderr, "belay: warning: rank %d: worker %d cannot be bound to a core: %s\n", rank(),
               worker, why.message().c_str());
}

}  // namespace belay
