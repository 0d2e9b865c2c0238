#pragma once

#include <vector>

#include "camber/driveline/scalars.h"

namespace camber::driveline {

/// A governed engine: torque over speed at full and at no throttle.
struct Engine {
  std::vector<double> speed, torque;                    // full throttle [rad/s], [N m]
  std::vector<double> motoring_speed, motoring_torque;  // no throttle: friction and pumping, <= 0
  double inertia = 1.1;                                 // with the converter's pump [kg m^2]
  double idle_speed = 68;                               // [rad/s]
  double idle_span = 10;  // so much below the idle speed the idle throttle is fully open [rad/s]
};

/// Torque on the crankshaft [N m]: between no and full throttle, and never less throttle than
/// idling takes.
template <class T>
T calc_engine_torque(const Engine& engine, const T& speed, const T& throttle) {
  using math::select;
  const auto clamp = [](const T& x) { return T(select(x < 0.0, T(0), select(x > 1.0, T(1), x))); };
  const T idle = clamp(T((engine.idle_speed - speed) / engine.idle_span));
  const T given = clamp(throttle);
  const T open = select(given > idle, given, idle);
  return open * math::look_up_smooth(engine.speed, engine.torque, speed) +
         (1.0 - open) * math::look_up_smooth(engine.motoring_speed, engine.motoring_torque, speed);
}

}  // namespace camber::driveline
