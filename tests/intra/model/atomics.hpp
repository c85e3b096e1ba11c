// The model checker's atomics, threads and futex in the place of the standard ones.
//
// After this header std::atomic and std::thread mean the model's, so that the headers of the
// library, included next, run unchanged under relacy: every atomic access is a point where
// threads may switch, and loads return any value that the C++ memory model allows and relacy
// can show. What relacy cannot show: a load that reads a store not yet executed (LB), a
// modification order or a total order of seq_cst accesses other than the order of execution.
//
// All is one operating system thread; the model's threads are fibers.
#pragma once

// Whatever uses the names that are given another meaning below, before that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <oneapi/tbb/scalable_allocator.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>
// Piece by piece, since <relacy/relacy.hpp> redefines new, delete, malloc, assert and more.
#include <relacy/base.hpp>
#include <relacy/context.hpp>
#include <relacy/context_base_impl.hpp>
// They need the above.
#include <relacy/atomic.hpp>
#include <relacy/dyn_thread.hpp>
#include <relacy/stdlib/condition_variable.hpp>
#include <relacy/stdlib/event.hpp>
#include <relacy/stdlib/mutex.hpp>
#include <relacy/stdlib/semaphore.hpp>
#include <relacy/test_suite.hpp>
#include <relacy/var.hpp>

#include "tests/intra/model/orders.hpp"

namespace belay::model {

// A place in the source: where a function with a default argument of this kind was called.
#define BELAY_CALLER const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline rl::debug_info info_of(const char* file, int line) {
  return {"", file, static_cast<unsigned>(line)};
}

// Fails the model unless the condition holds.
inline void require(bool condition, const char* what, BELAY_CALLER) {
  if (!condition) {
    rl::ctx().fail_test(what, rl::test_result_user_assert_failed, info_of(file, line));
  }
}

// The order of an access as the code says it, and the place where it does.
class Order {
 public:
  Order(std::memory_order stated, BELAY_CALLER) : stated_(stated), file_(file), line_(line) {}

  [[nodiscard]] rl::debug_info place() const { return info_of(file_, line_); }
  // What the model is to take it for.
  [[nodiscard]] rl::memory_order in_force() const {
    if (stated_ == std::memory_order_relaxed) return rl::mo_relaxed;
    Access* access = orders().find(file_, line_, stated_);
    require(access != nullptr, "no comment states the order of this access", file_, line_);
    access->met = true;
    return static_cast<rl::memory_order>(access->in_force);
  }

 private:
  std::memory_order stated_;
  const char* file_;
  int line_;
};

template <class T>
class Atomic {
 public:
  Atomic() : Atomic(T{}) {}
  Atomic(T value, BELAY_CALLER) {
    const rl::preemption_disabler nobody_knows_it_yet(rl::ctx());
    atomic_.store(value, rl::mo_relaxed, info_of(file, line));
  }

  T load(Order order) const { return atomic_.load(order.in_force(), order.place()); }
  void store(T value, Order order) { atomic_.store(value, order.in_force(), order.place()); }
  T exchange(T value, Order order) {
    return atomic_.exchange(value, order.in_force(), order.place());
  }
  T fetch_add(T value, Order order) {
    return atomic_.fetch_add(value, order.in_force(), order.place());
  }
  T fetch_sub(T value, Order order) {
    return atomic_.fetch_sub(value, order.in_force(), order.place());
  }
  bool compare_exchange_strong(T& expected, T desired, Order success, Order failure) {
    return atomic_.compare_exchange_strong(expected, desired, success.in_force(), success.place(),
                                           failure.in_force(), failure.place());
  }
  bool compare_exchange_strong(T& expected, T desired, Order order) {
    return atomic_.compare_exchange_strong(expected, desired, order.in_force(), order.place());
  }

  // The kernel's futex queue of this word. Comparing the word and going to sleep is one step,
  // and the word compared is its newest value; beyond that the kernel orders nothing here.
  void sleep_while(T expected, bool timed, BELAY_CALLER) {
    rl::context& context = rl::ctx();
    context.sched();
    if (atomic_.debug_value() != expected) {
      context.yield(1, info_of(file, line));  // the caller's loop sees newer values in the end
      return;
    }
    sleepers_.at(asleep_++) = context.current_thread();
    // Sleepers may wake for no reason; a search of all executions would never end with that.
    const bool may_wake = context.is_random_sched();
    const rl::timestamp_t seen = context.threadx_->last_yield_;
    if (context.park_current_thread(timed, may_wake, false, info_of(file, line)) !=
        rl::unpark_reason_normal) {
      remove(std::find(sleepers_.begin(), sleepers_.end(), context.current_thread()));
    }
    context.threadx_->last_yield_ = seen;  // to have slept shows the thread nothing new
  }
  void wake(int count, BELAY_CALLER) {
    rl::context& context = rl::ctx();
    context.sched();
    for (; count > 0 && asleep_ > 0; --count) {
      const auto any = context.rand(static_cast<unsigned>(asleep_), rl::sched_type_user);
      const rl::thread_id_t thread = sleepers_.at(any);
      remove(sleepers_.begin() + any);
      context.unpark_thread(thread, false, info_of(file, line));
    }
  }

 private:
  using Sleepers = std::array<rl::thread_id_t, 8>;

  void remove(Sleepers::iterator sleeper) {
    std::move(sleeper + 1, sleepers_.begin() + asleep_, sleeper);
    --asleep_;
  }

  rl::atomic<T> atomic_;
  Sleepers sleepers_{};
  std::ptrdiff_t asleep_ = 0;
};

// A variable that is not atomic: unordered accesses fail the model as a data race.
template <class T>
class Plain {
 public:
  explicit Plain(T value = T{}) : var_(value) {}
  [[nodiscard]] T get(BELAY_CALLER) const { return var_(info_of(file, line)).load(); }
  void set(T value, BELAY_CALLER) { var_(info_of(file, line)).store(value); }

 private:
  rl::var<T> var_;
};

// A thread that can be started and joined, as std::thread.
class Thread {
 public:
  template <class Body>
  explicit Thread(Body&& body)
      : body_(std::make_unique<std::function<void()>>(std::forward<Body>(body))),
        thread_(rl::ctx().create_thread(&Thread::start, body_.get())) {}
  void join(BELAY_CALLER) { thread_->wait(false, false, info_of(file, line)); }

 private:
  static void* start(void* body) {
    (*static_cast<std::function<void()>*>(body))();
    return nullptr;
  }

  std::unique_ptr<std::function<void()>> body_;
  rl::win_waitable_object* thread_;
};

}  // namespace belay::model

namespace std {
template <class T>
using model_atomic = belay::model::Atomic<T>;
using model_thread = belay::model::Thread;
}  // namespace std
#define atomic model_atomic
#define thread model_thread
