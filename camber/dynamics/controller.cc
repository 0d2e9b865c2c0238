#include "camber/dynamics/controller.h"

#include <algorithm>

#include "camber/core/require.h"

namespace camber::dynamics {

void Actuation::add(const Actuation& later) {
  require(later.wheels.size() == wheels.size(), "Actuation: ", later.wheels.size(),
          " wheels, the vehicle has ", wheels.size());
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const Wheel& from = later.wheels[i];
    Wheel& to = wheels[i];
    if (from.pressure != kNone) to.pressure = from.pressure;
    to.min_pressure = std::max(to.min_pressure, from.min_pressure);
    to.max_pressure = std::min(to.max_pressure, from.max_pressure);
    to.drive_torque += from.drive_torque;
  }
  steer += later.steer;
  max_throttle = std::min(max_throttle, later.max_throttle);
  if (later.gear > 0) gear = later.gear;
  lock = std::max(lock, later.lock);
}

double Actuation::find_pressure(std::size_t wheel, double asked) const {
  const Wheel& w = wheels[wheel];
  const double pressure = w.pressure == kNone ? asked : std::clamp(w.pressure, 0.0, 1.0);
  return std::min(std::max(pressure, std::min(w.min_pressure, 1.0)), std::max(0.0, w.max_pressure));
}

void Actuation::save(StateWriter* out) const {
  for (const Wheel& w : wheels)
    for (const double value : {w.pressure, w.min_pressure, w.max_pressure, w.drive_torque})
      out->write(value);
  for (const double value : {steer, max_throttle, static_cast<double>(gear), lock})
    out->write(value);
}

void Actuation::restore(StateReader* in) {
  for (Wheel& w : wheels)
    for (double* value : {&w.pressure, &w.min_pressure, &w.max_pressure, &w.drive_torque})
      *value = in->read();
  for (double* value : {&steer, &max_throttle}) *value = in->read();
  gear = in->read_int();
  lock = in->read();
}

}  // namespace camber::dynamics
