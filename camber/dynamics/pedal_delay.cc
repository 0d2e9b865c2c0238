#include "camber/dynamics/pedal_delay.h"

#include <cmath>

namespace camber::dynamics {

PedalDelay::PedalDelay(double dead_time, double step) : dead_time_(dead_time) {
  // As many commands as can come within the dead time, and one more.
  if (dead_time > 0) samples_.resize(static_cast<std::size_t>(std::ceil(dead_time / step)) + 2);
}

double PedalDelay::update(double time, double pedal) {
  if (samples_.empty()) return pedal;
  constexpr double kEarly = 1e-9;  // [s]
  samples_[newest_ = (newest_ + 1) % samples_.size()] = {time, pedal};
  const double then = time - dead_time_ + kEarly;
  double delayed = 0, last = -1;
  for (const Sample& sample : samples_) {
    if (sample.time > then || sample.time <= last) continue;
    last = sample.time;
    delayed = sample.pedal;
  }
  return delayed;
}

void PedalDelay::save(StateWriter* out) const {
  out->write(static_cast<double>(newest_));
  for (const Sample& sample : samples_) {
    out->write(sample.time);
    out->write(sample.pedal);
  }
}

void PedalDelay::restore(StateReader* in) {
  newest_ = static_cast<std::size_t>(in->read_int());
  for (Sample& sample : samples_) {
    sample.time = in->read();
    sample.pedal = in->read();
  }
}

}  // namespace camber::dynamics
