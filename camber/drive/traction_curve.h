#pragma once

#include <vector>

#include "camber/driveline/driveline.h"

namespace camber::drive {

/// The gear that the box comes to rest in at this speed of the wheels and throttle, from the first.
driveline::GearState settle_gear(const driveline::Driveline& driveline, double wheel_speed,
                                 double throttle, bool is_low_range = false);

/// The engine speed at which it gives just what the converter takes [rad/s].
double settle_engine(const driveline::Driveline& driveline, const driveline::DriveInputs& inputs,
                     double wheel_speed);

/// Force of all wheels over the vehicle's speed, in the gear and at the engine speed that come
/// about when it lasts.
struct TractionCurve {
  std::vector<double> speed;         // [m/s]
  std::vector<double> full, closed;  // at full and at no throttle [N]
};

TractionCurve calc_traction_curve(const driveline::Driveline& driveline, double rolling_radius,
                                  double top_speed = 35, bool is_low_range = false);

}  // namespace camber::drive
