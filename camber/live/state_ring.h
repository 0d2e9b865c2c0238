#pragma once

#include <deque>

#include "camber/live/hand_driver.h"
#include "camber/run/simulation.h"

namespace camber::live {

/// States to return to: the start, and the last ones at fixed intervals, as many as fit in memory.
class StateRing {
 public:
  struct Moment {
    run::SimulationState state;
    HandDriver::State hand;
  };

  explicit StateRing(std::size_t max_bytes = std::size_t{96} << 20) : max_bytes_(max_bytes) {}

  /// Whether a state is due at this time [s].
  bool is_due(double time) const { return time >= next_ - 1e-9; }
  void add(run::SimulationState state, const HandDriver::State& hand);
  /// The last state at or before `time`; the start if there is none. Later ones are removed.
  const Moment& go_back(double time);
  bool empty() const { return !has_start_; }
  double first_time() const {
    return moments_.empty() ? start_.state.time : moments_.front().state.time;
  }
  std::size_t size() const { return moments_.size() + (has_start_ ? 1 : 0); }
  double interval() const { return interval_; }

 private:
  std::size_t max_bytes_, bytes_ = 0;
  Moment start_;
  bool has_start_ = false;
  std::deque<Moment> moments_;
  double interval_ = 0.1;  // [s]
  double next_ = 0;        // [s]
};

}  // namespace camber::live
