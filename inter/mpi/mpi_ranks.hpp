// MpiRanks: the ranks of an MPI communicator.
//
// Works on a duplicate of the communicator, so that its messages cannot meet the program's own.
// Constructor and destructor are collective.
#pragma once

#include <mpi.h>

#include "belay/inter/transport/ranks.hpp"

namespace belay {

class MpiRanks final : public Ranks {
 public:
  // Over MPI_COMM_WORLD. Starts MPI (asking for MPI_THREAD_SERIALIZED) if nobody has, and then
  // ends it in the destructor.
  MpiRanks(int& argc, char**& argv);

  // Throws std::runtime_error if MPI was started with less than MPI_THREAD_FUNNELED.
  explicit MpiRanks(MPI_Comm communicator);

  ~MpiRanks() override;

  [[nodiscard]] int rank() const noexcept override { return rank_; }
  [[nodiscard]] int size() const noexcept override { return size_; }
  [[nodiscard]] std::string host() const override;
  void broadcast(std::vector<std::byte>& bytes) override;
  int largest(int value) override;
  HostMates gather_on_host(const Word& mine) override;
  [[nodiscard]] bool any_thread_may_call() const noexcept override {
    return thread_level_ >= MPI_THREAD_SERIALIZED;
  }
  void check_caller() const override;
  [[nodiscard]] std::unique_ptr<Mailbox> mailbox(std::uint32_t run, Purpose purpose) override;
  void abort() noexcept override;

  // The duplicate.
  [[nodiscard]] MPI_Comm communicator() const noexcept { return communicator_; }

  // The library's name and version, such as "Open MPI 4.1.4".
  [[nodiscard]] static std::string library();

 private:
  void open(MPI_Comm parent);

  bool owns_mpi_ = false;
  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  int thread_level_ = MPI_THREAD_SINGLE;
};

}  // namespace belay
