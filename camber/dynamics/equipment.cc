#include "camber/dynamics/equipment.h"

#include <cmath>
#include <cstddef>

namespace camber::dynamics {

double BrakeBooster::find_pressure(double pedal) const {
  const double knee = runout / gain;
  if (pedal <= knee || knee >= 1) return gain * pedal;
  return runout + (1 - runout) / (1 - knee) * (pedal - knee);
}

// With the driver's torque T and the assistance A(T) the shaft carries T + A(T), which rises with
// T: looked up from the other side. Beyond the table the assistance stays what it is at its end.
double SteeringGear::find_driver_torque(double torque) const {
  const double shaft = std::abs(torque) / ratio;
  const std::size_t n = driver_torque.size();
  double driver = shaft;
  for (std::size_t i = 1; i < n; ++i) {
    const double low = driver_torque[i - 1] + assist_torque[i - 1],
                 high = driver_torque[i] + assist_torque[i];
    if (shaft > high && i + 1 < n) continue;
    const double width = driver_torque[i] - driver_torque[i - 1];
    driver = shaft > high ? shaft - assist_torque[i]
                          : driver_torque[i - 1] + width * (shaft - low) / (high - low);
    break;
  }
  return std::copysign(driver, torque);
}

}  // namespace camber::dynamics
