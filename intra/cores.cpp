#include "belay/intra/cores.hpp"

#include <hwloc.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace belay {

// The topology and the units to bind to: one of each core first, then the cores' further
// hardware threads.
class Cores::Topology {
 public:
  Topology() {
    if (hwloc_topology_init(&topology_) != 0) throw std::runtime_error("hwloc does not start");
    if (hwloc_topology_load(topology_) != 0) {
      hwloc_topology_destroy(topology_);
      throw std::runtime_error("hwloc cannot read this machine's topology");
    }
    allowed_ = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology_));
    hwloc_bitmap_t bound = hwloc_bitmap_alloc();
    // Where the system cannot tell, all that is allowed counts as given.
    if (hwloc_get_cpubind(topology_, bound, HWLOC_CPUBIND_PROCESS) == 0 &&
        hwloc_bitmap_intersects(bound, allowed_)) {
      hwloc_bitmap_and(allowed_, allowed_, bound);
    }
    hwloc_bitmap_free(bound);
    list_units();
  }

  ~Topology() {
    hwloc_bitmap_free(allowed_);
    hwloc_topology_destroy(topology_);
  }

  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;

  [[nodiscard]] std::string allowed() const {
    char* text = nullptr;
    hwloc_bitmap_list_asprintf(&text, allowed_);
    std::string copy = text == nullptr ? "" : text;
    std::free(text);
    return copy;
  }

  void keep_share(int index, int count) {
    const int cores = static_cast<int>(cores_.size());
    if (cores < count) {
      bindable_ = false;
      cores_.resize(1);
      return;
    }
    const auto begin = cores_.begin() + cores * index / count;
    const auto end = cores_.begin() + cores * (index + 1) / count;
    cores_ = std::vector<hwloc_obj_t>(begin, end);
    collect_units();
  }

  [[nodiscard]] int cores() const { return std::max(1, static_cast<int>(cores_.size())); }

  [[nodiscard]] bool bind(int worker, int workers) const {
    if (!can_bind(workers)) return false;
    hwloc_bitmap_t set = hwloc_bitmap_dup(units_[static_cast<std::size_t>(worker)]->cpuset);
    const int result = hwloc_set_cpubind(topology_, set, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(set);
    return result == 0;
  }

  // The depth of the smallest part of the machine that holds both; larger is nearer.
  [[nodiscard]] int nearness(int a, int b, int workers) const {
    if (!can_bind(workers)) return 0;
    return hwloc_get_common_ancestor_obj(topology_, units_[static_cast<std::size_t>(a)],
                                         units_[static_cast<std::size_t>(b)])
        ->depth;
  }

 private:
  [[nodiscard]] bool can_bind(int workers) const {
    return bindable_ && static_cast<std::size_t>(workers) <= units_.size();
  }

  void list_units() {
    const int count = hwloc_get_nbobjs_inside_cpuset_by_type(topology_, allowed_, HWLOC_OBJ_CORE);
    for (int i = 0; i < count; ++i) {
      cores_.push_back(hwloc_get_obj_inside_cpuset_by_type(topology_, allowed_, HWLOC_OBJ_CORE,
                                                           static_cast<unsigned>(i)));
    }
    if (cores_.empty()) {
      // Machines that report no cores, or cores of which only a part is allowed.
      const int units = hwloc_get_nbobjs_inside_cpuset_by_type(topology_, allowed_, HWLOC_OBJ_PU);
      for (int i = 0; i < units; ++i) {
        cores_.push_back(hwloc_get_obj_inside_cpuset_by_type(topology_, allowed_, HWLOC_OBJ_PU,
                                                             static_cast<unsigned>(i)));
      }
    }
    collect_units();
  }

  void collect_units() {
    units_.clear();
    for (unsigned sibling = 0;; ++sibling) {
      const std::size_t before = units_.size();
      for (hwloc_obj_t core : cores_) {
        hwloc_obj_t unit =
            hwloc_get_obj_inside_cpuset_by_type(topology_, core->cpuset, HWLOC_OBJ_PU, sibling);
        if (unit != nullptr) units_.push_back(unit);
      }
      if (units_.size() == before) break;
    }
  }

  hwloc_topology_t topology_ = nullptr;
  hwloc_bitmap_t allowed_ = nullptr;
  std::vector<hwloc_obj_t> cores_;
  std::vector<hwloc_obj_t> units_;
  bool bindable_ = true;
};

Cores::Cores() : topology_(std::make_unique<Topology>()) {}
Cores::~Cores() = default;

std::string Cores::allowed() const { return topology_->allowed(); }
void Cores::keep_share(int index, int count) { topology_->keep_share(index, count); }
int Cores::count() const { return topology_->cores(); }
bool Cores::bind(int worker, int workers) const { return topology_->bind(worker, workers); }

std::vector<std::size_t> Cores::robbing_order(int worker, int workers) const {
  std::vector<int> others;
  for (int i = 1; i < workers; ++i) others.push_back((worker + i) % workers);
  std::stable_sort(others.begin(), others.end(), [&](int a, int b) {
    return topology_->nearness(worker, a, workers) > topology_->nearness(worker, b, workers);
  });
  std::vector<std::size_t> order{static_cast<std::size_t>(workers)};
  for (int other : others) order.push_back(static_cast<std::size_t>(other));
  return order;
}

}  // namespace belay
