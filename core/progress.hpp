// Progress: how far a run is, seen from rank 0 while it goes on.
#pragma once

#include <cstdint>

namespace belay {

// Of all ranks; of the others as they last said, up to a second ago.
struct Progress {
  double seconds = 0;        // since the run's start
  std::uint64_t tasks = 0;   // done
  std::int64_t busy = 0;     // workers that have work
  std::int64_t workers = 0;  // all of them
};

}  // namespace belay
