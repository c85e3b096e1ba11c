#include "belay/inter/mpi/mpi_ranks.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>

#include "belay/inter/mpi/errors.hpp"
#include "belay/inter/mpi/mpi_mailbox.hpp"

namespace belay {

MpiRanks::MpiRanks(int& argc, char**& argv) {
  int started = 0;
  check_mpi(MPI_Initialized(&started), "MPI_Initialized");
  if (started == 0) {
    int provided = MPI_THREAD_SINGLE;
    check_mpi(MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
    owns_mpi_ = true;
  }
  open(MPI_COMM_WORLD);
}

MpiRanks::MpiRanks(MPI_Comm communicator) { open(communicator); }

MpiRanks::~MpiRanks() {
  int ended = 0;  // by the program, before its session
  MPI_Finalized(&ended);
  if (ended != 0) return;
  if (communicator_ != MPI_COMM_NULL) MPI_Comm_free(&communicator_);
  if (owns_mpi_) MPI_Finalize();
}

void MpiRanks::open(MPI_Comm parent) {
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
}

std::string MpiRanks::host() const {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  check_mpi(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
  return {name.data(), static_cast<std::size_t>(length)};
}

void MpiRanks::broadcast(std::vector<std::byte>& bytes) {
  std::uint64_t size = bytes.size();
  check_mpi(MPI_Bcast(&size, 1, MPI_UINT64_T, 0, communicator_), "MPI_Bcast");
  bytes.resize(size);
  for (std::size_t begin = 0; begin < size; begin += MpiMailbox::kPartBytes) {
    const std::size_t part = std::min(MpiMailbox::kPartBytes, size - begin);
    check_mpi(MPI_Bcast(bytes.data() + begin, static_cast<int>(part), MPI_BYTE, 0, communicator_),
              "MPI_Bcast");
  }
}

int MpiRanks::largest(int value) {
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, communicator_),
            "MPI_Allreduce");
  return value;
}

Ranks::HostMates MpiRanks::gather_on_host(const Word& mine) {
  MPI_Comm host = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host),
            "MPI_Comm_split_type");
  int index = 0;
  int count = 1;
  MPI_Comm_rank(host, &index);
  MPI_Comm_size(host, &count);
  HostMates mates{std::vector<Word>(static_cast<std::size_t>(count)),
                  static_cast<std::size_t>(index)};
  constexpr int kWords = std::tuple_size_v<Word>;
  const int code = MPI_Allgather(mine.data(), kWords, MPI_UINT64_T, mates.words.data(), kWords,
                                 MPI_UINT64_T, host);
  MPI_Comm_free(&host);
  check_mpi(code, "MPI_Allgather");
  return mates;
}

void MpiRanks::check_caller() const {
  int is_main = 0;
  check_mpi(MPI_Is_thread_main(&is_main), "MPI_Is_thread_main");
  if (thread_level_ == MPI_THREAD_FUNNELED && is_main == 0) {
    throw std::logic_error(
        "run() was called from a thread that may not call MPI (MPI_THREAD_FUNNELED allows the "
        "main thread alone)");
  }
}

// Each run has tags of its own, one for each purpose, out of the 32768 that every MPI has.
std::unique_ptr<Mailbox> MpiRanks::mailbox(std::uint32_t run, Purpose purpose) {
  const int tag =
      static_cast<int>(kPurposes * (run % (32'768 / kPurposes))) + static_cast<int>(purpose);
  return std::make_unique<MpiMailbox>(communicator_, tag);
}

void MpiRanks::abort() noexcept { MPI_Abort(communicator_, EXIT_FAILURE); }

std::string MpiRanks::library() {
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

}  // namespace belay
