#include "camber/autonomy/steering.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace camber::autonomy {

// Open loop.

double calc_steer(const SteerStraight& /*law*/, double /*time*/) { return 0; }

double calc_steer(const SteerTable& law, double time) { return value_at(law.angle, time); }

double calc_steer(const SteerStep& law, double time) {
  const double t = std::clamp((time - law.start) / law.rise_time, 0.0, 1.0);
  return law.angle * t * t * t * (10 + t * (-15 + 6 * t));
}

double calc_steer(const SteerRamp& law, double time) {
  const double angle = std::abs(law.rate) * std::max(0.0, time - law.start);
  return std::copysign(std::min(angle, std::abs(law.angle)), law.angle);
}

double calc_steer(const SteerSine& law, double time) {
  const double phase = law.frequency * (time - law.start);
  if (phase <= 0 || phase >= law.periods) return 0;
  return law.amplitude * std::sin(2 * std::numbers::pi * phase);
}

double calc_steer(const SteerSineWithDwell& law, double time) {
  constexpr double kSecondPeak = 0.75;
  double phase = law.frequency * (time - law.start);
  if (phase > kSecondPeak) phase = std::max(kSecondPeak, phase - law.frequency * law.dwell);
  if (phase <= 0 || phase >= 1) return 0;
  return law.amplitude * std::sin(2 * std::numbers::pi * phase);
}

// Along a path.

double wrap_angle(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }

double calc_pursuit_angle(double wheelbase, double bearing, double distance) {
  return std::atan(2 * wheelbase * std::sin(bearing) / distance);
}

double calc_steer(const PurePursuit& law, const VehicleView& view, const Path& path,
                  const PathFoot& foot, const SteeringLimits& limits) {
  const double c = std::cos(view.yaw), s = std::sin(view.yaw);
  double x = view.x - 0.5 * law.wheelbase * c, y = view.y - 0.5 * law.wheelbase * s;
  const double target_distance =
      std::clamp(law.look_ahead * view.speed, law.min_distance, law.max_distance);
  PathFoot start = foot;
  start.s -= 0.5 * law.wheelbase;
  const PathFoot rear = path.project(x, y, start);

  // The law sees the axle closer to the path than it is: not at all nearby, and far away as much as
  // it takes for a point of a line to be at the target distance.
  constexpr double kMinSpeed = 2, kSteepest = 0.85;  // [m/s]; of the approach: its sine
  const double speed = std::max(view.speed, kMinSpeed);
  // The wheels have half the time to that point. With all of it the HMMWV, whose power steering and
  // tires take 0.2 s of it, oscillated by 1.5 m for 20 s at 5 m/s.
  const Approach approach = make_approach(limits, law.wheelbase, speed, target_distance,
                                          0.5 * target_distance / speed, kSteepest);
  const double closer = rear.deviation - calc_seen_deviation(approach, rear.deviation);
  x += closer * rear.point.tangent_y;
  y -= closer * rear.point.tangent_x;

  // The point of the path at this distance, ahead of the axle: Newton's steps.
  double target_s = rear.s + target_distance;
  PathPoint target = path.at(target_s, rear.piece);
  for (int i = 0; i < 6; ++i) {
    const double dx = target.x - x, dy = target.y - y, distance = std::hypot(dx, dy);
    const double closing = (dx * target.tangent_x + dy * target.tangent_y) / distance;
    target_s += (target_distance - distance) / std::max(closing, 0.3);
    target = path.at(target_s, rear.piece);
  }
  const double ahead = c * (target.x - x) + s * (target.y - y),
               left = c * (target.y - y) - s * (target.x - x);
  double angle =
      calc_pursuit_angle(law.wheelbase, std::atan2(left, ahead), std::hypot(ahead, left));
  double curvature = std::tan(angle) / law.wheelbase;
  // The correction of deviation and course is bounded, not the path's own curvature: the arc from
  // its point and direction to the target, as far as the wheels can steer.
  const double lock = std::tan(std::min(limits.angle, 1.5)) / law.wheelbase;
  const PathPoint& on = rear.point;
  const double dx = target.x - on.x, dy = target.y - on.y;
  const double bend =
      std::clamp(2 * (on.tangent_x * dy - on.tangent_y * dx) / (dx * dx + dy * dy), -lock, lock);
  const double correction = curvature - bend, bounded = bound_correction(approach, correction);
  if (bounded != correction) {
    curvature = bend + bounded;
    angle = std::atan(law.wheelbase * curvature);
  }
  return angle + law.understeer * view.speed * view.speed * curvature;
}

double calc_stanley_angle(const Stanley& law, double heading_error, double deviation,
                          double speed) {
  return heading_error - std::atan(law.gain * deviation / (law.soft_speed + std::abs(speed)));
}

double calc_steer(const Stanley& law, const VehicleView& view, const Path& path,
                  const PathFoot& foot, const SteeringLimits& /*limits*/) {
  PathFoot start = foot;
  start.s += 0.5 * law.wheelbase;
  const PathFoot front = path.project(view.x + 0.5 * law.wheelbase * std::cos(view.yaw),
                                      view.y + 0.5 * law.wheelbase * std::sin(view.yaw), start);
  const double heading_error = wrap_angle(heading(front.point) - view.yaw);
  const double path_rate = view.speed * front.point.curvature;
  return calc_stanley_angle(law, heading_error, front.deviation, view.speed) +
         law.yaw_damping * (path_rate - view.yaw_rate) + law.front_slip * view.speed * path_rate;
}

}  // namespace camber::autonomy
