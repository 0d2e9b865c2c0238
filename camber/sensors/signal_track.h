#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "camber/core/state_buffer.h"
#include "camber/dynamics/snapshot.h"

namespace camber::sensors {

/// Recent values of what a vehicle's own wires carry: at the ends of integration steps, linear
/// between them.
class SignalTrack {
 public:
  /// Numbers of the signals; then, for each wheel, its angle and its speed.
  enum Signal {
    kSteeringWheel,
    kBrakePressure,
    kThrottle,
    kBrake,
    kGear,
    kEngineSpeed,
    kFirstWheel
  };

  SignalTrack(std::size_t wheels, std::size_t capacity);

  std::size_t wheel_count() const { return wheels_; }
  /// Takes the state of now. Angles of wheels are integrals of their speeds [rad].
  void push(const dynamics::VehicleSnapshot& now);
  double at(double time, std::size_t signal) const;
  double wheel_angle(double time, std::size_t wheel) const {
    return at(time, kFirstWheel + 2 * wheel);
  }
  double wheel_speed(double time, std::size_t wheel) const {
    return at(time, kFirstWheel + 2 * wheel + 1);
  }

  void save(StateWriter* out) const;
  void restore(StateReader* in);

 private:
  std::size_t width() const { return kFirstWheel + 2 * wheels_ + 1; }  // time comes last
  double* row(std::size_t i) { return &values_[(first_ + i) % capacity_ * width()]; }
  const double* row(std::size_t i) const { return &values_[(first_ + i) % capacity_ * width()]; }
  double time(std::size_t i) const { return row(i)[width() - 1]; }

  std::size_t wheels_, capacity_, first_ = 0, count_ = 0;
  std::vector<double> values_;
};

}  // namespace camber::sensors
