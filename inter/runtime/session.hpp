// Session: a program's access to the ranks and to this host's cores.
//
// Constructor and destructor are collective over the ranks. Any number of sessions may exist, one
// after the other or side by side; the messages of one cannot meet another's, nor the program's.
// Runs of two sessions overlap only where MPI was started with MPI_THREAD_MULTIPLE.
#pragma once

#ifdef BELAY_WITH_MPI
#include <mpi.h>
#endif

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "belay/core/errors.hpp"
#include "belay/core/packing.hpp"
#include "belay/inter/transport/ranks.hpp"
#include "belay/intra/cores.hpp"

namespace belay {

// Made, used and destroyed by one thread, which may call MPI; rank(), size(), host() and cores()
// are for any.
class Session {
 public:
  // This process alone, without MPI. It takes all cores of its process for itself: of several such
  // processes on a host only one should bind its workers. Throws std::runtime_error, as the others
  // do, when hwloc cannot read this machine.
  Session();

  // Over MPI_COMM_WORLD. Starts MPI (asking for MPI_THREAD_SERIALIZED) if the program has not,
  // and then ends it in the destructor. Without mpirun this is one rank, and in a build without
  // MPI (BELAY_MPI=OFF) this process alone. Throws std::runtime_error when MPI fails, or was
  // started with MPI_THREAD_SINGLE.
  Session(int& argc, char**& argv);

#ifdef BELAY_WITH_MPI
  // Over a communicator of a program that uses MPI itself, at least MPI_THREAD_FUNNELED; otherwise,
  // or when MPI fails, throws std::runtime_error. The communicator is duplicated. A session that is
  // still there after MPI_Finalize can only be destroyed.
  explicit Session(MPI_Comm communicator);
#endif

  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // This process's, 0 to size() - 1.
  [[nodiscard]] int rank() const noexcept { return ranks_->rank(); }
  // How many ranks the session has, at least 1.
  [[nodiscard]] int size() const noexcept { return ranks_->size(); }
  // Name of this rank's host.
  [[nodiscard]] const std::string& host() const noexcept { return host_; }
  // The MPI library's name and version, such as "Open MPI 4.1.4"; "none" in a build without MPI.
  [[nodiscard]] static std::string mpi_library();

  // Collective: rank 0's value on every rank. Of any size. Throws std::runtime_error when MPI
  // fails.
  template <Travels T>
  [[nodiscard]] T broadcast(T value) const {
    if (size() == 1) return value;
    Packer packer;
    if (rank() == 0) packer.put(value);
    auto bytes = packer.take();
    ranks_->broadcast(bytes);
    if (rank() == 0) return value;
    Unpacker unpacker(bytes);
    return unpacker.get<T>();
  }

  // Collective: the largest of the ranks' values, on every rank. Throws as broadcast() does.
  [[nodiscard]] int largest(int value) const { return ranks_->largest(value); }

  // This rank's share of the host's cores and of its cgroup's CPU quota.
  [[nodiscard]] const Cores& cores() const noexcept { return cores_; }

  // The rest is for run().

  // Holds the session for one run; throws std::logic_error if a run is going on, as when a
  // task calls run(), or if the calling thread may not call MPI.
  class Hold {
   public:
    explicit Hold(Session& session);
    ~Hold() { session_->running_.store(false); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    // Counts the session's runs.
    [[nodiscard]] std::uint32_t run_number() const noexcept { return run_number_; }

   private:
    Session* session_;
    std::uint32_t run_number_;
  };

  // What carries messages between them.
  [[nodiscard]] Ranks& ranks() const noexcept { return *ranks_; }

  // Makes the call. What it throws is beyond mending (MPI failed, or a message was not one of
  // belay's): says so on stderr and ends the program on all ranks, since the others would wait
  // for this one for ever.
  template <class Call>
  void or_abort(Call&& call) const {
    try {
      call();
    } catch (...) {
      abort(describe_current_exception());
    }
  }

  // Says on stderr, once in the session's life and on rank 0 alone, that the threads of this
  // rank share cores, and how to change it where the launcher left it a single one of many.
  void warn_of_shared_cores(int workers);

  // Says on stderr, once in the session's life on each rank, why a worker is not bound. Any
  // thread may call it.
  void warn_of_failed_binding(int worker, const std::error_code& why);

 private:
  explicit Session(std::unique_ptr<Ranks> ranks);
  [[noreturn]] void abort(const std::string& why) const;

  std::unique_ptr<Ranks> ranks_;
  std::string host_;
  Cores cores_;
  std::atomic<bool> running_{false};
  std::uint32_t runs_ = 0;
  bool warned_of_shared_cores_ = false;
  std::atomic<bool> warned_of_failed_binding_{false};
};

}  // namespace belay
