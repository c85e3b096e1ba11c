// StopOnSignal: SIGTERM and SIGINT become a stop of the run, so that a program that is told to end
// says what it has counted so far. Launchers kill soon after they ask, so it ends at once; a
// second signal kills. While there is no run the first one kills too, as it would without this.
//
// To be made before anything that starts threads, MPI among it: they inherit the mask that keeps
// the signals for this object's own thread.
#pragma once

#include <atomic>
#include <stop_token>
#include <string>
#include <thread>

namespace apps {

class StopOnSignal {
 public:
  // Throws std::system_error if the system has no descriptors left.
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

  // Lives as long as a run that the token stops.
  class Catch {
   public:
    explicit Catch(const StopOnSignal& stop) : catching_(&stop.catching_) { *catching_ = true; }
    ~Catch() { *catching_ = false; }
    Catch(const Catch&) = delete;
    Catch& operator=(const Catch&) = delete;

   private:
    std::atomic<bool>* catching_;
  };

  // The signal that came, or 0.
  [[nodiscard]] int signal() const noexcept { return signal_.load(); }

 private:
  void wait_for_signal();

  std::stop_source source_;
  std::atomic<int> signal_{0};
  mutable std::atomic<bool> catching_{false};
  int signals_ = -1;  // readable when a signal has come
  int quit_ = -1;     // readable when this object ends
  std::thread thread_;
};

// "SIGTERM"
[[nodiscard]] std::string signal_name(int signal);

}  // namespace apps
