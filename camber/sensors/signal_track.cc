#include "camber/sensors/signal_track.h"

#include <algorithm>

#include "camber/core/require.h"

namespace camber::sensors {

SignalTrack::SignalTrack(std::size_t wheels, std::size_t capacity)
    : wheels_(wheels),
      capacity_(std::max<std::size_t>(capacity, 2)),
      values_(capacity_ * width()) {}

void SignalTrack::push(const dynamics::VehicleSnapshot& now) {
  require(now.wheels.size() == wheels_, "SignalTrack: the vehicle has ", now.wheels.size(),
          " wheels, expected ", wheels_);
  const std::size_t end = width() - 1;
  const bool is_new = count_ == 0 || now.time > time(count_ - 1);
  if (is_new && count_ < capacity_)
    ++count_;
  else if (is_new)
    first_ = (first_ + 1) % capacity_;
  double* to = row(count_ - 1);
  const double* before = count_ > 1 ? row(count_ - 2) : nullptr;
  to[kSteeringWheel] = now.steering_wheel_angle;
  to[kBrakePressure] = now.brake_pressure;
  to[kThrottle] = now.command.throttle;
  to[kBrake] = now.command.brake;
  to[kGear] = now.gear;
  to[kEngineSpeed] = now.engine_speed;
  to[end] = now.time;
  for (std::size_t i = 0; i < wheels_; ++i) {
    const std::size_t at = kFirstWheel + 2 * i;
    to[at + 1] = now.wheels[i].spin;
    to[at] = before == nullptr
                 ? 0
                 : before[at] + 0.5 * (now.time - before[end]) * (before[at + 1] + to[at + 1]);
  }
}

double SignalTrack::at(double t, std::size_t signal) const {
  if (count_ == 0) return 0;
  std::size_t low = 0, high = count_ - 1;
  if (t <= time(low)) return row(low)[signal];
  if (t >= time(high)) return row(high)[signal];
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (time(middle) <= t ? low : high) = middle;
  }
  if (signal == kGear) return row(low)[signal];
  const double share = (t - time(low)) / (time(high) - time(low));
  return row(low)[signal] + share * (row(high)[signal] - row(low)[signal]);
}

void SignalTrack::save(StateWriter* out) const {
  out->write(static_cast<double>(count_));
  for (std::size_t i = 0; i < count_; ++i) out->write({row(i), width()});
}

void SignalTrack::restore(StateReader* in) {
  const int count = in->read_int();
  require(count >= 0 && static_cast<std::size_t>(count) <= capacity_, "the saved state has ", count,
          " samples of signals, the sensors keep ", capacity_);
  first_ = 0;
  count_ = static_cast<std::size_t>(count);
  for (std::size_t i = 0; i < count_; ++i) in->read({row(i), width()});
}

}  // namespace camber::sensors
