#pragma once

// Errors of sensors: processes that are sampled at a fixed rate. Numbers come from a stream that is
// named by the sample, so that a process has no state but its value.

#include <cmath>

#include "camber/core/random.h"

namespace camber::sensors {

/// First-order Gauss-Markov process of deviation `sigma` and correlation time `time`:
/// b+ = exp(-dt/T) b + sigma sqrt(1 - exp(-2 dt/T)) w. It starts with its stationary distribution.
struct GaussMarkov {
  double sigma = 0;  // [unit]
  double time = 1;   // [s]
  double value = 0;  // [unit]

  void start(RandomStream* random) { value = sigma * random->normal(); }
  void advance(double dt, RandomStream* random) {
    const double keep = std::exp(-dt / time);
    value = keep * value + sigma * std::sqrt(1 - keep * keep) * random->normal();
  }
};

/// The nearest multiple of a quantum; the value itself where the quantum is 0.
inline double quantize(double value, double quantum) {
  return quantum > 0 ? quantum * std::round(value / quantum) : value;
}

}  // namespace camber::sensors
