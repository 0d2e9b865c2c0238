#include "camber/drive/traction_curve.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "camber/core/require.h"

namespace camber::drive {

using driveline::DriveInputs;
using driveline::Driveline;
using driveline::GearState;

GearState settle_gear(const Driveline& d, double wheel_speed, double throttle, bool is_low_range) {
  const double transfer = is_low_range ? d.transfer_low : d.transfer_high;
  const double output_speed = wheel_speed * transfer * d.axle_ratio * d.hub_ratio;
  GearState gear;
  for (std::size_t k = 0; k < d.gearbox.ratios.size(); ++k) {
    gear = shift(d.gearbox, gear, output_speed, throttle, 0);
    gear.left = 0;
  }
  return gear;
}

double settle_engine(const Driveline& d, const DriveInputs& inputs, double wheel_speed) {
  const double turbine_speed = total_ratio(d, inputs) * wheel_speed;
  double low = 0.5 * d.engine.idle_speed, high = d.engine.speed.back() + std::abs(turbine_speed);
  while (high - low > 1e-9 * high) {
    const double middle = 0.5 * (low + high);
    const double left = calc_engine_torque(d.engine, middle, inputs.throttle) -
                        calc_converter(d.converter, middle, turbine_speed).pump;
    (left > 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

TractionCurve calc_traction_curve(const Driveline& d, double rolling_radius, double top_speed,
                                  bool is_low_range) {
  require(rolling_radius > 0 && top_speed > 0,
          "calc_traction_curve: radius and top speed must be > 0, got ", rolling_radius, " and ",
          top_speed);
  const auto force = [&](double speed, double throttle) {
    const double wheel_speed = speed / rolling_radius;
    const DriveInputs inputs{.throttle = throttle,
                             .is_low_range = is_low_range,
                             .gear = settle_gear(d, wheel_speed, throttle, is_low_range)};
    const auto result = calc_driveline(d, inputs, settle_engine(d, inputs, wheel_speed),
                                       {wheel_speed, wheel_speed, wheel_speed, wheel_speed});
    double torque = 0;
    for (const double t : result.wheel_torques) torque += t;
    // Gears that stand take nothing yet; those of a vehicle that moves off do.
    const double passed = speed == 0 ? d.efficiency : 1;
    return passed * torque / rolling_radius;
  };
  constexpr double kStep = 0.5;  // [m/s]
  TractionCurve curve;
  for (int k = 0; k <= static_cast<int>(std::ceil(top_speed / kStep)); ++k) {
    curve.speed.push_back(k * kStep);
    curve.full.push_back(force(k * kStep, 1));
    curve.closed.push_back(force(k * kStep, 0));
  }
  return curve;
}

}  // namespace camber::drive
