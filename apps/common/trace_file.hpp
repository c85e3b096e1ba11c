// What --trace writes: the states of each thread of a run, and who stole from whom, in Chrome's
// trace-event JSON, which Perfetto (ui.perfetto.dev) opens.
//
//   traceEvents  M: names, a process per rank, a thread per worker, last the communication thread;
//                X: a state, with the tasks done in it;
//                s, f: an arrow, "steal" within a rank and "random", "lifeline" or "prefetch" for a
//                request between two, from thief to victim, and "loot" from there back, with tasks
//   otherData    program, config, dropped_events, and by how much a time may be off between two
//                ranks, clock_error_us
//
// Times are in us from the start of the run, by rank 0's clock. An arrow of which one end was
// dropped is left out.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "belay/core/statistics.hpp"

namespace apps {

// A file, compressed if its name ends in .gz, or "-" for stdout. Throws std::runtime_error if it
// cannot be written.
void write_trace(const std::string& file, const nlohmann::ordered_json& other_data,
                 const belay::Statistics& statistics);

}  // namespace apps
