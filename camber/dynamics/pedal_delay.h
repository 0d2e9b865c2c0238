#pragma once

#include <cstddef>
#include <vector>

#include "camber/core/state_buffer.h"

namespace camber::dynamics {

/// A brake pedal as it was a dead time ago.
class PedalDelay {
 public:
  PedalDelay() = default;
  /// For commands that are at least `step` apart.
  PedalDelay(double dead_time, double step);

  /// The last pedal that was commanded a dead time before `time` or earlier. Without a dead time it is
  /// `pedal`.
  double update(double time, double pedal);

  bool has_memory() const { return !samples_.empty(); }
  void save(StateWriter* out) const;
  void restore(StateReader* in);

 private:
  struct Sample {
    double time = -1, pedal = 0;
  };
  double dead_time_ = 0;         // [s]
  std::vector<Sample> samples_;  // a ring; empty without a dead time
  std::size_t newest_ = 0;
};

}  // namespace camber::dynamics
