#include "belay/inter/mpi/errors.hpp"

#include <mpi.h>

#include <array>
#include <stdexcept>
#include <string>

namespace belay {

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw std::runtime_error(std::string(call) + ": " +
                           std::string(text.data(), static_cast<std::size_t>(length)));
}

}  // namespace belay
