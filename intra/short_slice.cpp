#include "belay/intra/short_slice.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace belay {

namespace {

// As the kernel defines it, of which only the first version's size is used. The C library of
// Debian 12 has neither the structure nor the calls.
struct SchedulingAttributes {
  std::uint32_t size = 48;
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0;  // the slice, in ns, for the policies SCHED_OTHER and SCHED_BATCH
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};

constexpr std::uint64_t kSliceNs = 100'000;  // the shortest that Linux accepts

bool get(SchedulingAttributes& attributes) {
  return syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) == 0;
}

bool set_slice(SchedulingAttributes attributes, std::uint64_t slice_ns) {
  attributes.runtime = slice_ns;
  return syscall(SYS_sched_setattr, 0, &attributes, 0) == 0;
}

}  // namespace

ShortSlice::ShortSlice() noexcept {
  SchedulingAttributes now;
  if (!get(now) || now.policy != SCHED_OTHER) return;
  before_ns_ = now.runtime;
  changed_ = set_slice(now, kSliceNs);
}

ShortSlice::~ShortSlice() {
  SchedulingAttributes now;
  // 0 stands for the system's own.
  if (changed_ && get(now)) static_cast<void>(set_slice(now, before_ns_));
}

}  // namespace belay
