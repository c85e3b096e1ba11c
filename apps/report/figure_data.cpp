#include "apps/report/figure_data.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace apps {

namespace {

constexpr std::size_t kMostNamedThreads = 24;
constexpr std::size_t kMostLabels = 20;

// Labels for `count` things of which thing i is in the middle of [edges[i], edges[i + 1]); not more
// than fit.
std::vector<ThreadAxis::Label> numbered(const std::vector<double>& edges) {
  const std::size_t count = edges.size() - 1;
  std::size_t step = 1;
  for (std::size_t next = 0; count > step * kMostLabels; ++next) {
    constexpr std::size_t kFactors[] = {2, 5, 10};  // 1, 2, 5, 10, 20, ...
    const auto decade = static_cast<std::size_t>(std::pow(10, next / 3));
    step = kFactors[next % 3] * decade;
  }
  std::vector<ThreadAxis::Label> labels;
  for (std::size_t i = 0; i < count; i += step) {
    labels.push_back({(edges[i] + edges[i + 1] - 1) / 2, std::to_string(i)});
  }
  return labels;
}

std::vector<double> sum_of_steals(const RankData& rank, std::size_t ranks, std::size_t own) {
  std::vector<double> row = rank.loot_from;
  row.resize(ranks);
  for (const ThreadData& worker : rank.workers) {
    const auto end =
        worker.stolen_from.begin() +
        static_cast<std::ptrdiff_t>(std::min(worker.stolen_from.size(), rank.workers.size()));
    row[own] += std::accumulate(worker.stolen_from.begin(), end, 0.0);
  }
  return row;
}

StealMatrix matrix_of_ranks(const RunData& run) {
  StealMatrix matrix;
  const std::size_t ranks = run.ranks.size();
  matrix.tasks.reserve(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    matrix.tasks.push_back(sum_of_steals(run.ranks[rank], ranks, rank));
  }
  std::vector<double> edges(ranks + 1);
  std::iota(edges.begin(), edges.end(), 0.0);
  matrix.axis = {"rank", numbered(edges), {}};
  return matrix;
}

// The index of each rank's first thread, and behind them that of the end.
std::vector<std::size_t> first_threads(const RunData& run, bool with_communication) {
  std::vector<std::size_t> first{0};
  first.reserve(run.ranks.size() + 1);
  for (const RankData& rank : run.ranks) {
    first.push_back(first.back() + rank.workers.size() + (with_communication ? 1 : 0));
  }
  return first;
}

}  // namespace

Spread spread_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(std::max<std::size_t>(values.size(), 1));
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  const double squares = std::accumulate(
      values.begin(), values.end(), 0.0,
      [&](double sum, double value) { return sum + (value - mean) * (value - mean); });
  return {mean, std::sqrt(squares / count)};
}

std::vector<const ThreadData*> workers_of(const RunData& run) {
  std::vector<const ThreadData*> workers;
  for (const RankData& rank : run.ranks) {
    for (const ThreadData& worker : rank.workers) workers.push_back(&worker);
  }
  return workers;
}

belay::PerState seconds_in_states(const RunData& run) {
  belay::PerState sum{};
  for (const ThreadData* worker : workers_of(run)) {
    for (std::size_t state = 0; state < belay::kThreadStates; ++state)
      sum[state] += worker->seconds[state];
  }
  return sum;
}

double total(const Histogram& histogram) {
  return std::accumulate(histogram.begin(), histogram.end(), 0.0,
                         [](double sum, const auto& bucket) { return sum + bucket.second; });
}

std::uint64_t upper_edge_ns(std::uint64_t lower_edge_ns) {
  return lower_edge_ns + std::bit_floor(lower_edge_ns) / 4;
}

double quantile(const Histogram& histogram, double share) {
  const double wanted = share * total(histogram);
  double below = 0;
  const auto bucket =
      std::find_if(histogram.begin(), std::prev(histogram.end()), [&](const auto& entry) {
        below += entry.second;
        return entry.second > 0 && below >= wanted;
      });
  return static_cast<double>(bucket->first + upper_edge_ns(bucket->first)) / 2;
}

ThreadAxis thread_axis(const RunData& run, bool with_communication) {
  const std::vector<std::size_t> first = first_threads(run, with_communication);
  const std::size_t ranks = run.ranks.size();
  ThreadAxis axis;
  axis.borders.reserve(ranks);
  for (std::size_t rank = 1; rank < ranks; ++rank) {
    axis.borders.push_back(static_cast<double>(first[rank]) - 0.5);
  }
  if (first.back() > kMostNamedThreads) {
    std::vector<double> edges(first.begin(), first.end());
    if (ranks == 1) {  // its workers are numbered instead
      edges.resize(first.back() + 1);
      std::iota(edges.begin(), edges.end(), 0.0);
    }
    axis.title = ranks == 1 ? "worker" : "rank";
    axis.labels = numbered(edges);
    return axis;
  }
  axis.title = ranks == 1 ? "worker" : "rank/worker";
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (std::size_t i = first[rank]; i < first[rank + 1]; ++i) {
      const std::size_t worker = i - first[rank];
      const std::string name =
          worker < run.ranks[rank].workers.size() ? std::to_string(worker) : "c";
      axis.labels.push_back(
          {static_cast<double>(i), ranks == 1 ? name : std::to_string(rank) + '/' + name});
    }
  }
  if (with_communication) axis.title += ", c: communication";
  return axis;
}

StealMatrix steal_matrix(const RunData& run, std::size_t most_threads) {
  const bool several = run.ranks.size() > 1;
  const std::vector<std::size_t> first = first_threads(run, several);
  if (first.back() > most_threads) return matrix_of_ranks(run);

  StealMatrix matrix{{first.back(), std::vector<double>(first.back())}, thread_axis(run, several)};
  for (std::size_t r = 0; r < run.ranks.size(); ++r) {
    const RankData& rank = run.ranks[r];
    const auto add_row = [&](std::size_t row, const std::vector<double>& stolen_from) {
      const std::size_t victims = std::min(stolen_from.size(), first[r + 1] - first[r]);
      for (std::size_t i = 0; i < victims; ++i) matrix.tasks[row][first[r] + i] += stolen_from[i];
    };
    for (std::size_t i = 0; i < rank.workers.size(); ++i) {
      add_row(first[r] + i, rank.workers[i].stolen_from);
    }
    if (!several) continue;
    const std::size_t row = first[r + 1] - 1;  // of the communication thread
    add_row(row, rank.communication.stolen_from);
    for (std::size_t victim = 0; victim < rank.loot_from.size(); ++victim) {
      matrix.tasks[row][first[victim + 1] - 1] += rank.loot_from[victim];
    }
  }
  return matrix;
}

}  // namespace apps
