#pragma once

#include "camber/driveline/scalars.h"
#include "camber/math/smooth_curve.h"

namespace camber::driveline {

/// A governed engine: torque over speed at full and at no throttle. The curves are smooth, because
/// a corner that is passed within a step costs more than the rest of the step's error.
struct Engine {
  math::SmoothCurve torque;    // full throttle [rad/s] -> [N m]
  math::SmoothCurve motoring;  // no throttle: friction and pumping, <= 0
  double inertia = 1;          // with the converter's pump [kg m^2]
  double idle_speed = 0;       // [rad/s]
  double idle_span = 10;  // so much below the idle speed the idle throttle is fully open [rad/s]
};

/// Torque on the crankshaft [N m]: between no and full throttle, and never less throttle than
/// idling needs.
template <class T>
T calc_engine_torque(const Engine& engine, const T& speed, const T& throttle) {
  using math::select;
  const auto clamp = [](const T& x) { return T(select(x < 0.0, T(0), select(x > 1.0, T(1), x))); };
  const T idle = clamp(T((engine.idle_speed - speed) / engine.idle_span));
  const T given = clamp(throttle);
  const T open = select(given > idle, given, idle);
  return open * engine.torque.at(speed) + (1.0 - open) * engine.motoring.at(speed);
}

}  // namespace camber::driveline
