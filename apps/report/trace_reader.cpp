#include "apps/report/trace_reader.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "apps/common/statistics_json.hpp"

namespace apps {

namespace {

constexpr std::size_t kMostRanks = 1U << 20U;
constexpr std::size_t kMostThreads = 1U << 14U;
constexpr double kSecondsPerUs = 1e-6;

// Grows the vector so far.
template <class T>
T& grown(std::vector<T>& vector, std::size_t index) {
  if (vector.size() <= index) vector.resize(index + 1);
  return vector[index];
}

void count(Histogram& histogram, double us) {
  const auto rounded = static_cast<std::uint64_t>(std::llround(std::clamp(1000 * us, 0.0, 1e18)));
  const std::uint64_t ns = std::max(rounded, kShortestNs);
  const std::uint64_t width = std::bit_floor(ns) / 4;
  ++histogram[ns / width * width];
}

}  // namespace

RankData& TraceReader::rank_at(std::size_t rank) { return grown(run_.ranks, rank); }

ThreadData& TraceReader::thread_at(Place place) {
  RankData& rank = rank_at(place.rank);
  const auto communication = communication_.find(place.rank);
  const bool is_worker =
      communication == communication_.end() || communication->second != place.thread;
  return is_worker ? grown(rank.workers, place.thread) : rank.communication;
}

void TraceReader::take(const Json& event) {
  const std::string phase = text(event, "ph");
  if (phase == "M") take_name(event);
  if (phase == "X") take_state(event);
  if (phase == "s" || phase == "f") take_arrow(event);
}

void TraceReader::take_name(const Json& event) {
  const std::string what = text(event, "name");
  const std::string name = text(member(event, "args"), "name");
  const std::size_t rank = index_of(event, "pid", kMostRanks);
  if (what == "process_name") {
    const std::size_t open = name.find('(');  // "rank 0 (host)"
    if (open != std::string::npos && name.ends_with(')')) {
      rank_at(rank).host = name.substr(open + 1, name.size() - open - 2);
    }
  } else if (what == "thread_name") {
    const std::size_t thread = index_of(event, "tid", kMostThreads);
    if (name == "communication") communication_[rank] = thread;
    static_cast<void>(thread_at({rank, thread}));  // it is there even if nothing else is told
  }
}

void TraceReader::take_state(const Json& event) {
  const auto* const name = std::ranges::find(kThreadStateNames, text(event, "name"));
  if (name == kThreadStateNames.end()) return;
  const auto state = static_cast<std::size_t>(name - kThreadStateNames.begin());
  const Place place{index_of(event, "pid", kMostRanks), index_of(event, "tid", kMostThreads)};
  const double begin_us = number(event, "ts");
  const double end_us = begin_us + amount_of(event, "dur");
  const double tasks = amount_of(member(event, "args"), "tasks");

  ThreadData& thread = thread_at(place);
  thread.seconds[state] += (end_us - begin_us) * kSecondsPerUs;
  thread.tasks += tasks;
  run_.seconds = std::max(run_.seconds, end_us * kSecondsPerUs);
  if (&thread == &rank_at(place.rank).communication) return;

  LifeStory::Bin amount{.tasks = tasks};
  amount.seconds[state] = (end_us - begin_us) * kSecondsPerUs;
  run_.life_story.add(begin_us * kSecondsPerUs, end_us * kSecondsPerUs, amount);

  const auto kind = static_cast<belay::ThreadState>(state);
  if (kind == belay::ThreadState::stealing || kind == belay::ThreadState::idle) {
    out_of_work_since_us_.try_emplace(place, begin_us);
  } else if (kind == belay::ThreadState::computing) {
    const auto since = out_of_work_since_us_.find(place);
    if (since == out_of_work_since_us_.end()) return;
    count(run_.search_times, begin_us - since->second);
    out_of_work_since_us_.erase(since);
  }
}

void TraceReader::take_arrow(const Json& event) {
  const std::string name = text(event, "name");
  const std::pair key(name, index_of(event, "id", std::numeric_limits<std::size_t>::max()));
  Arrow& arrow = open_arrows_[key];
  (text(event, "ph") == "s" ? arrow.start : arrow.finish) = {
      .place = {index_of(event, "pid", kMostRanks), index_of(event, "tid", kMostThreads)},
      .us = number(event, "ts"),
      .tasks = amount_of(member(event, "args"), "tasks"),
      .known = true};
  if (!arrow.start.known || !arrow.finish.known) return;
  close(name, arrow);
  open_arrows_.erase(key);
}

void TraceReader::close(const std::string& name, const Arrow& arrow) {
  const auto& [start, finish] = arrow;
  using Kind = Contact::Kind;
  if (name == "steal") {
    grown(thread_at(start.place).stolen_from, finish.place.thread) += start.tasks;
  } else if (name == "loot") {
    grown(rank_at(finish.place.rank).loot_from, start.place.rank) += start.tasks;
    contacts_[{finish.place.rank, start.place.rank}].push_back({finish.us, Kind::loot});
  } else if (name == "random" || name == "lifeline" || name == "prefetch") {
    contacts_[{start.place.rank, finish.place.rank}].push_back(
        {start.us, name == "prefetch" ? Kind::prefetch : Kind::request});
  }
}

// A trace does not say which request a loot answers: taken is the last unanswered one. That is
// right but for a lifeline that is served after another request to the same rank was refused.
void TraceReader::count_steal_times() {
  for (auto& [ranks, contacts] : contacts_) {
    std::ranges::stable_sort(contacts, {}, &Contact::us);
    std::vector<Contact> unanswered;
    for (const Contact& contact : contacts) {
      if (contact.kind != Contact::Kind::loot) {
        unanswered.push_back(contact);
      } else if (!unanswered.empty()) {
        const Contact request = unanswered.back();
        unanswered.pop_back();
        if (request.kind == Contact::Kind::request)
          count(run_.steal_times, contact.us - request.us);
      }
    }
  }
}

RunData TraceReader::finish(const Json& other_data) {
  count_steal_times();
  run_.program = text(other_data, "program");
  run_.config = member(other_data, "config");
  if (const double dropped = amount_of(other_data, "dropped_events"); dropped > 0) {
    run_.remarks.push_back("The trace was full: " + member(other_data, "dropped_events").dump() +
                           " events are missing in it and in the figures.");
  }
  return std::move(run_);
}

}  // namespace apps
