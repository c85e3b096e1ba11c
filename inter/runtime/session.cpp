#include "belay/inter/runtime/session.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "belay/inter/mpi/errors.hpp"

namespace belay {

Session::Session(int& argc, char**& argv) {
  int started = 0;
  check_mpi(MPI_Initialized(&started), "MPI_Initialized");
  if (started == 0) {
    int provided = MPI_THREAD_SINGLE;
    check_mpi(MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
    owns_mpi_ = true;
  }
  open(MPI_COMM_WORLD);
}

Session::Session(MPI_Comm communicator) { open(communicator); }

Session::~Session() {
  if (communicator_ != MPI_COMM_NULL) MPI_Comm_free(&communicator_);
  if (owns_mpi_) MPI_Finalize();
}

void Session::open(MPI_Comm parent) {
  check_mpi(MPI_Query_thread(&thread_level_), "MPI_Query_thread");
  if (thread_level_ < MPI_THREAD_FUNNELED) {
    throw std::runtime_error(
        "MPI was initialised with MPI_THREAD_SINGLE; belay has worker threads and needs at least "
        "MPI_THREAD_FUNNELED: call MPI_Init_thread instead of MPI_Init");
  }
  check_mpi(MPI_Comm_dup(parent, &communicator_), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator_, &size_), "MPI_Comm_size");
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  check_mpi(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
  host_.assign(name.data(), static_cast<std::size_t>(length));
  share_cores();
}

// Ranks of this host that were given the very same cores divide them, and those below the cgroup
// with the smallest quota divide that; ranks that the launcher bound to different cores keep what
// they were given.
void Session::share_cores() {
  MPI_Comm host = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host),
            "MPI_Comm_split_type");
  int index = 0;
  int count = 1;
  MPI_Comm_rank(host, &index);
  MPI_Comm_size(host, &count);
  const Cores::Grant mine = cores_.grant();
  static_assert(sizeof mine == 2 * sizeof(std::uint64_t));
  std::vector<Cores::Grant> all(static_cast<std::size_t>(count));
  const int code = MPI_Allgather(&mine, 2, MPI_UINT64_T, all.data(), 2, MPI_UINT64_T, host);
  MPI_Comm_free(&host);
  check_mpi(code, "MPI_Allgather");
  cores_.divide(all, static_cast<std::size_t>(index));
}

std::string Session::mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  std::string full(text.data(), static_cast<std::size_t>(length));
  // Open MPI: "Open MPI v4.1.4, package: ..."; MPICH: "MPICH Version:\t4.0.2\nMPICH ...".
  full = full.substr(0, full.find_first_of(",\n"));
  for (const std::string word : {" Version:\t", " Version:      ", " v"}) {
    if (const auto at = full.find(word); at != std::string::npos) {
      return full.replace(at, word.size(), " ");
    }
  }
  return full;
}

std::string Session::broadcast(std::string value) const {
  std::uint64_t size = value.size();
  check_mpi(MPI_Bcast(&size, 1, MPI_UINT64_T, 0, communicator_), "MPI_Bcast");
  value.resize(size);
  check_mpi(MPI_Bcast(value.data(), static_cast<int>(size), MPI_CHAR, 0, communicator_),
            "MPI_Bcast");
  return value;
}

int Session::largest(int value) const {
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, communicator_),
            "MPI_Allreduce");
  return value;
}

Session::Hold::Hold(Session& session) : session_(&session) {
  int is_main = 0;
  check_mpi(MPI_Is_thread_main(&is_main), "MPI_Is_thread_main");
  if (session.thread_level_ == MPI_THREAD_FUNNELED && is_main == 0) {
    throw std::logic_error(
        "run() was called from a thread that may not call MPI (MPI_THREAD_FUNNELED allows the "
        "main thread alone)");
  }
  if (session.running_.exchange(true)) {
    throw std::logic_error("run() was called while a run of the same session is going on");
  }
  run_number_ = ++session.runs_;
}

void Session::abort(const std::string& why) const {
  std::fprintf(stderr, "belay: rank %d: %s\n", rank_, why.c_str());
  MPI_Abort(communicator_, EXIT_FAILURE);
  std::abort();
}

void Session::warn_of_shared_cores(int workers) {
  if (warned_of_shared_cores_ || rank_ != 0) return;
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
  std::fprintf(stderr, "belay: warning: rank %d: worker %d cannot be bound to a core: %s\n", rank_,
               worker, why.message().c_str());
}

}  // namespace belay
