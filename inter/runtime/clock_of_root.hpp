// Reading rank 0's clock from the other ranks, so that a trace can bring their times together.
//
// Each rank in turn asks rank 0 for its time and takes the quickest of several answers: what the
// own clock showed half way between question and answer belongs to the time in it, give or take
// the other half (Cristian, Probabilistic clock synchronization, 1989, 10.1007/BF01784024).
#pragma once

#include "belay/core/trace.hpp"
#include "belay/inter/transport/mailbox.hpp"

namespace belay {

// Collective; nothing else goes through the mailbox. Takes a few round trips for each rank. On
// rank 0 without error.
ClockReading read_clock_of_root(Mailbox& mailbox, int rank, int size);

}  // namespace belay
