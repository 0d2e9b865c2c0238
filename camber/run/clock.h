#pragma once

#include <cmath>

namespace camber::run {

/// Times of a periodic event: k * interval, without drift.
class Clock {
 public:
  Clock(double interval, double now) : interval_(interval) { reset(now); }

  double next() const { return static_cast<double>(next_) * interval_; }
  /// Whether the event is due; if so, advances to the next one.
  bool strikes(double now) {
    if (now < next() - kTolerance) return false;
    ++next_;
    return true;
  }
  /// Advances to the first time after `now`.
  void reset(double now) {
    next_ = static_cast<long>(std::floor(now / interval_ * (1 + 1e-12) + 1e-9)) + 1;
  }

 private:
  static constexpr double kTolerance = 1e-9;  // [s]

  double interval_;  // [s]
  long next_ = 0;
};

}  // namespace camber::run
