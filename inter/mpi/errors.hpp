// One function that turns an MPI return code into a clear message.
#pragma once

namespace belay {

// Throws std::runtime_error "CALL: what MPI says of the code" unless code is MPI_SUCCESS.
void check_mpi(int code, const char* call);

}  // namespace belay
