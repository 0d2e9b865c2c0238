#include "camber/dynamics/equipment.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "camber/math/polygon.h"

namespace camber::dynamics {

double BrakeBooster::find_pressure(double pedal) const {
  const double knee = runout / gain;
  if (pedal <= knee || knee >= 1) return gain * pedal;
  return runout + (1 - runout) / (1 - knee) * (pedal - knee);
}

SteeringGear::LocalRatio SteeringGear::find_ratio(double position) const {
  const std::vector<double>&x = ratio_positions, &i = ratios;
  const double away = std::abs(position);
  for (std::size_t k = 1; k < x.size(); ++k) {
    if (away > x[k]) continue;
    const double slope = (i[k] - i[k - 1]) / (x[k] - x[k - 1]);
    return {i[k - 1] + slope * (away - x[k - 1]), position < 0 ? -slope : slope};
  }
  return {i.empty() ? ratio : i.back(), 0};
}

// The ratio i is linear from point to point, its integral in between i_0 s + i' s^2 / 2.
double SteeringGear::find_wheel_angle(double position) const {
  if (ratios.empty()) return ratio * position;
  const std::vector<double>&x = ratio_positions, &i = ratios;
  const double away = std::abs(position);
  double angle = 0;
  for (std::size_t k = 1; k < x.size() && away > x[k - 1]; ++k) {
    const double width = x[k] - x[k - 1], s = std::min(away - x[k - 1], width);
    angle += s * (i[k - 1] + 0.5 * (i[k] - i[k - 1]) / width * s);
  }
  angle += i.back() * std::max(0.0, away - x.back());
  return std::copysign(angle, position);
}

// s from i_0 s + i' s^2 / 2 = c, in the form that also holds for i' = 0.
double SteeringGear::find_position(double wheel_angle) const {
  if (ratios.empty()) return wheel_angle / ratio;
  const std::vector<double>&x = ratio_positions, &i = ratios;
  double left = std::abs(wheel_angle), position = x.back();
  for (std::size_t k = 1; k < x.size(); ++k) {
    const double width = x[k] - x[k - 1], whole = 0.5 * (i[k - 1] + i[k]) * width;
    if (left > whole) {
      left -= whole;
      continue;
    }
    const double slope = (i[k] - i[k - 1]) / width;
    position = x[k - 1] + 2 * left / (i[k - 1] + std::sqrt(i[k - 1] * i[k - 1] + 2 * slope * left));
    return std::copysign(position, wheel_angle);
  }
  return std::copysign(position + left / i.back(), wheel_angle);
}

double SteeringGear::find_assist_share(double speed) const {
  return assist_shares.empty() ? 1 : math::look_up_held(assist_speeds, assist_shares, speed);
}

// With the driver's torque T and the assistance A(T) the shaft carries T + A(T), which rises with
// T: looked up from the other side. Beyond the table the assistance stays what it is at its end.
double SteeringGear::find_driver_torque(double torque, double position, double speed) const {
  const double shaft = std::abs(torque) / find_ratio(position).ratio;
  const double share = find_assist_share(speed);
  const std::size_t n = driver_torque.size();
  double driver = shaft;
  for (std::size_t i = 1; i < n; ++i) {
    const double low = driver_torque[i - 1] + share * assist_torque[i - 1],
                 high = driver_torque[i] + share * assist_torque[i];
    if (shaft > high && i + 1 < n) continue;
    const double width = driver_torque[i] - driver_torque[i - 1];
    driver = shaft > high ? shaft - share * assist_torque[i]
                          : driver_torque[i - 1] + width * (shaft - low) / (high - low);
    break;
  }
  return std::copysign(driver, torque);
}

}  // namespace camber::dynamics
