#pragma once

#include <chrono>
#include <thread>

namespace camber::run {

/// Keeps simulated time from running ahead of the clock.
class RealTimePacer {
 public:
  /// `factor`: simulated seconds per second.
  explicit RealTimePacer(double time, double factor = 1)
      : start_(Clock::now()), time_(time), factor_(factor) {}

  /// Sleeps until it is time for `time` [s]. Returns at once if the simulation is late.
  void wait_until(double time) const {
    std::this_thread::sleep_until(start_ +
                                  std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>((time - time_) / factor_)));
  }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point start_;
  double time_, factor_;
};

}  // namespace camber::run
