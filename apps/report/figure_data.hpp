// What is counted and laid out before it is drawn.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/report/run_data.hpp"

namespace apps {

struct Spread {
  double mean;
  double deviation;  // standard, of all of them and not of a sample
};
[[nodiscard]] Spread spread_of(const std::vector<double>& values);

// Workers of all ranks in their order.
[[nodiscard]] std::vector<const ThreadData*> workers_of(const RunData& run);

// Workers' seconds in each state, summed.
[[nodiscard]] belay::PerState seconds_in_states(const RunData& run);

// The middle of the bucket below which this share lies, in ns. There must be something in it.
[[nodiscard]] double quantile(const Histogram& histogram, double share);
[[nodiscard]] double total(const Histogram& histogram);
// The upper edge of a bucket.
[[nodiscard]] std::uint64_t upper_edge_ns(std::uint64_t lower_edge_ns);

// Marks on an axis along which threads stand, thread i at i.
struct ThreadAxis {
  struct Label {
    double at;
    std::string text;
  };
  std::string title;  // what the labels are
  std::vector<Label> labels;
  std::vector<double> borders;  // between ranks
};

// Who stole how many tasks from whom: thieves are rows, victims columns.
struct StealMatrix {
  std::vector<std::vector<double>> tasks;
  ThreadAxis axis;
};

// Few threads are named one by one, of many the ranks. With communication threads each rank has one
// more, behind its workers.
[[nodiscard]] ThreadAxis thread_axis(const RunData& run, bool with_communication);

// Thread by thread if there are no more than most_threads, else rank by rank with what workers
// stole at home on the diagonal. With several ranks a communication thread is a thief among ranks,
// from which its workers steal what came.
[[nodiscard]] StealMatrix steal_matrix(const RunData& run, std::size_t most_threads);

}  // namespace apps
