#include "apps/common/stop_on_signal.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <system_error>

namespace apps {

namespace {

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

}  // namespace

StopOnSignal::StopOnSignal() {
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  quit_ = eventfd(0, EFD_CLOEXEC);
  if (signals_ < 0 || quit_ < 0) {
    throw std::system_error(errno, std::generic_category(), "cannot wait for signals");
  }
  thread_ = std::thread([this] { wait_for_signal(); });
}

StopOnSignal::~StopOnSignal() {
  const std::uint64_t one = 1;
  static_cast<void>(!write(quit_, &one, sizeof one));
  thread_.join();
  close(signals_);
  close(quit_);
}

void StopOnSignal::wait_for_signal() {
  std::array<pollfd, 2> events{pollfd{signals_, POLLIN, 0}, pollfd{quit_, POLLIN, 0}};
  while (poll(events.data(), events.size(), -1) < 0 && errno == EINTR) {
  }
  signalfd_siginfo info{};
  if (events[0].revents == 0 || read(signals_, &info, sizeof info) != sizeof info) return;
  signal_.store(static_cast<int>(info.ssi_signo));
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);  // here alone: the next one kills
  if (!catching_) kill(getpid(), signal_);
  source_.request_stop();
  while (poll(&events[1], 1, -1) < 0 && errno == EINTR) {
  }
}

std::string signal_name(int signal) {
  const char* const name = sigabbrev_np(signal);
  return name == nullptr ? "signal " + std::to_string(signal) : "SIG" + std::string(name);
}

}  // namespace apps
