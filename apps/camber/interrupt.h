#pragma once

#include <csignal>
#include <string>

namespace camber::app {

/// While one of these lives, Ctrl-C (SIGINT), SIGTERM and SIGHUP ask for an end instead of making
/// it: the run sees requested() at its next sample, closes its files and ends with exit status 1. A
/// second Ctrl-C ends at once. A file that grows beyond the limit (ulimit -f) is a failed write, as
/// on a full disk, rather than the end of the process. There is one at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Cheap enough for every step.
  static bool requested() { return signal() != 0; }
  /// The signal that asked, or 0.
  static int signal();
  /// Forgets the signal that asked an earlier guard.
  static void forget();

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGXFSZ};
  struct sigaction before_[4];
};

/// "interrupted (SIGINT) at t = 3.2 s of 10 s (32 %)": how far a run came. A duration of 0 is not
/// known.
std::string interrupted_text(int signal, double time, double duration);

}  // namespace camber::app
