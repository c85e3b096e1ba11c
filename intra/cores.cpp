#include "belay/intra/cores.hpp"

#include <hwloc.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <stdexcept>

namespace belay {

namespace {

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
  void operator()(hwloc_bitmap_t set) const { hwloc_bitmap_free(set); }
};
using HwlocTopology = std::unique_ptr<hwloc_topology, Destroy>;
using Units = std::unique_ptr<hwloc_bitmap_s, Destroy>;

// Of this machine, if none is made up. Includes what this process may not use, so that a part
// can be told from the whole.
HwlocTopology load(const MadeUpMachine* made_up) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw std::runtime_error("hwloc does not start");
  HwlocTopology topology(raw);
  if (made_up != nullptr && hwloc_topology_set_synthetic(raw, made_up->topology.c_str()) != 0) {
    throw std::invalid_argument("hwloc understands no machine \"" + made_up->topology + '"');
  }
  if (hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0 ||
      hwloc_topology_load(raw) != 0) {
    throw std::runtime_error("hwloc cannot read this machine's topology");
  }
  return topology;
}

Units allowed_here(hwloc_topology_t topology) {
  Units allowed(hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology)));
  const Units bound(hwloc_bitmap_alloc());
  // Where the system cannot tell, all that is allowed counts as given.
  if (hwloc_get_cpubind(topology, bound.get(), HWLOC_CPUBIND_PROCESS) == 0 &&
      hwloc_bitmap_intersects(bound.get(), allowed.get())) {
    hwloc_bitmap_and(allowed.get(), allowed.get(), bound.get());
  }
  return allowed;
}

Units allowed_on(const MadeUpMachine& machine, hwloc_topology_t topology) {
  Units allowed(hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology)));
  if (machine.allowed.empty()) return allowed;
  const Units given(hwloc_bitmap_alloc());
  if (hwloc_bitmap_list_sscanf(given.get(), machine.allowed.c_str()) != 0 ||
      !hwloc_bitmap_intersects(given.get(), allowed.get())) {
    throw std::invalid_argument("\"" + machine.allowed + "\" names no unit of the machine");
  }
  hwloc_bitmap_and(allowed.get(), allowed.get(), given.get());
  return allowed;
}

std::string list(hwloc_const_bitmap_t units) {
  char* text = nullptr;
  hwloc_bitmap_list_asprintf(&text, units);
  std::string copy = text == nullptr ? "" : text;
  std::free(text);
  return copy;
}

}  // namespace

// The topology and the units to bind to.
class Cores::Topology {
 public:
  explicit Topology(const MadeUpMachine* made_up)
      : topology_(load(made_up)),
        allowed_(made_up == nullptr ? allowed_here(topology_.get())
                                    : allowed_on(*made_up, topology_.get())),
        cores_(cores_in(allowed_.get())),
        given_one_of_many_(cores_.size() == 1 &&
                           cores_in(hwloc_get_root_obj(topology_.get())->cpuset).size() > 1) {
    collect_units();
  }

  [[nodiscard]] std::string allowed() const { return list(allowed_.get()); }

  void keep_share(std::ptrdiff_t index, std::ptrdiff_t count) {
    const auto cores = std::ssize(cores_);
    if (cores < count) {
      crowded_ = true;
      cores_.resize(1);
      return;
    }
    cores_.erase(cores_.begin() + cores * (index + 1) / count, cores_.end());
    cores_.erase(cores_.begin(), cores_.begin() + cores * index / count);
    collect_units();
  }

  [[nodiscard]] int cores() const { return static_cast<int>(cores_.size()); }
  [[nodiscard]] bool crowded() const { return crowded_; }
  [[nodiscard]] bool given_one_of_many() const { return given_one_of_many_; }

  // Null if nobody is bound.
  [[nodiscard]] hwloc_obj_t unit(int worker, int workers) const {
    const bool enough = static_cast<std::size_t>(workers) <= units_.size();
    return !crowded_ && enough ? units_[static_cast<std::size_t>(worker)] : nullptr;
  }

  [[nodiscard]] std::error_code bind(hwloc_obj_t unit) const {
    errno = 0;
    if (hwloc_set_cpubind(topology_.get(), unit->cpuset, HWLOC_CPUBIND_THREAD) == 0) return {};
    return {errno != 0 ? errno : ENOSYS, std::generic_category()};
  }

  // Where the calling thread may run; empty if it cannot be told.
  [[nodiscard]] std::string here() const {
    const Units units(hwloc_bitmap_alloc());
    const int failed = hwloc_get_cpubind(topology_.get(), units.get(), HWLOC_CPUBIND_THREAD);
    return failed == 0 ? list(units.get()) : "";
  }

  // All units of this part; empty if there is none.
  [[nodiscard]] std::string part() const {
    const Units units(hwloc_bitmap_alloc());
    for (hwloc_obj_t unit : units_) hwloc_bitmap_set(units.get(), unit->os_index);
    return crowded_ ? "" : list(units.get());
  }

  [[nodiscard]] bool move_to(const std::string& units) const {
    const Units set(hwloc_bitmap_alloc());
    return hwloc_bitmap_list_sscanf(set.get(), units.c_str()) == 0 &&
           hwloc_set_cpubind(topology_.get(), set.get(), HWLOC_CPUBIND_THREAD) == 0;
  }

  // The depth of the smallest part of the machine that holds both: core, cache, NUMA node,
  // package; larger is nearer.
  [[nodiscard]] int nearness(hwloc_obj_t a, hwloc_obj_t b) const {
    return hwloc_get_common_ancestor_obj(topology_.get(), a, b)->depth;
  }

 private:
  using Core = std::vector<hwloc_obj_t>;  // its allowed units, in order

  // The cores that have units in `set`. What the system reports without a core is one by itself.
  [[nodiscard]] std::vector<Core> cores_in(hwloc_const_bitmap_t set) const {
    std::vector<Core> cores;
    hwloc_obj_t last = nullptr;
    const int units = hwloc_get_nbobjs_by_type(topology_.get(), HWLOC_OBJ_PU);
    for (int i = 0; i < units; ++i) {
      hwloc_obj_t unit =
          hwloc_get_obj_by_type(topology_.get(), HWLOC_OBJ_PU, static_cast<unsigned>(i));
      if (!hwloc_bitmap_isset(set, unit->os_index)) continue;
      hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology_.get(), HWLOC_OBJ_CORE, unit);
      if (core == nullptr || core != last) cores.emplace_back();
      cores.back().push_back(unit);
      last = core;
    }
    return cores;
  }

  void collect_units() {
    units_.clear();
    for (std::size_t sibling = 0;; ++sibling) {
      const std::size_t before = units_.size();
      for (const Core& core : cores_) {
        if (sibling < core.size()) units_.push_back(core[sibling]);
      }
      if (units_.size() == before) break;
    }
  }

  HwlocTopology topology_;
  Units allowed_;
  std::vector<Core> cores_;  // never empty
  bool given_one_of_many_;
  std::vector<hwloc_obj_t> units_;
  bool crowded_ = false;
};

Cores::Cores() : topology_(std::make_unique<Topology>(nullptr)), quota_(cpu_quota()) {}
Cores::Cores(const MadeUpMachine& machine)
    : topology_(std::make_unique<Topology>(&machine)), quota_(machine.quota) {}
Cores::~Cores() = default;

Cores::Grant Cores::grant() const {
  return {std::hash<std::string>{}(topology_->allowed()), quota_ ? quota_->cgroup : 0};
}

void Cores::divide(std::span<const Grant> host, std::size_t mine) {
  const Grant given = host[mine];
  const auto parts = std::ranges::count(host, given.cores, &Grant::cores);
  const auto before = std::ranges::count(host.first(mine), given.cores, &Grant::cores);
  if (parts > 1) topology_->keep_share(before, parts);
  if (quota_) {
    quota_->cpus /= static_cast<double>(std::ranges::count(host, given.quota, &Grant::quota));
  }
}

int Cores::count() const {
  const int cores = topology_->cores();
  if (!quota_) return cores;
  return static_cast<int>(std::clamp(quota_->cpus, 1.0, static_cast<double>(cores)));
}

bool Cores::crowded() const { return topology_->crowded(); }
bool Cores::given_one_of_many() const { return topology_->given_one_of_many(); }

std::optional<unsigned> Cores::unit(int worker, int workers) const {
  hwloc_obj_t unit = topology_->unit(worker, workers);
  return unit == nullptr ? std::nullopt : std::optional(unit->os_index);
}

std::error_code Cores::bind(int worker, int workers) const {
  hwloc_obj_t unit = topology_->unit(worker, workers);
  return unit == nullptr ? std::error_code() : topology_->bind(unit);
}

Cores::Stay::Stay(const Cores& cores)
    : topology_(cores.topology_.get()), before_(topology_->here()) {
  const std::string part = topology_->part();
  if (part.empty() || before_.empty() || !topology_->move_to(part)) before_.clear();
}

Cores::Stay::~Stay() {
  if (!before_.empty()) static_cast<void>(topology_->move_to(before_));
}

std::vector<std::size_t> Cores::robbing_order(int worker, int workers) const {
  std::vector<int> others;
  for (int i = 1; i < workers; ++i) others.push_back((worker + i) % workers);
  if (hwloc_obj_t own = topology_->unit(worker, workers); own != nullptr) {
    std::ranges::stable_sort(others, std::greater(), [&](int other) {
      return topology_->nearness(own, topology_->unit(other, workers));
    });
  }
  std::vector<std::size_t> order{static_cast<std::size_t>(workers)};
  for (int other : others) order.push_back(static_cast<std::size_t>(other));
  return order;
}

}  // namespace belay
