#include "camber/autonomy/speed_limit.h"

#include <algorithm>
#include <cmath>

namespace camber::autonomy {

SpeedLimit calc_speed_limit(const SpeedLimits& limits, const SpeedRoom& room, double speed) {
  constexpr double kGravity = 9.81;  // [m/s^2]
  constexpr double kWavelength = 5;  // shorter waves are taken by tires and springs [m]
  const double a = std::max(0.5, limits.deceleration + kGravity * std::min(0.0, room.grade));
  SpeedLimit limit{limits.max_speed, 0, "max_speed"};
  const auto take = [&](double v, std::string_view reason, double acceleration) {
    if (v < limit.speed) limit = {std::max(v, 0.0), acceleration, reason};
  };
  // The speed from which the vehicle stops within a length, after a time to react.
  const auto stop_within = [&](double length, double reaction) {
    if (length <= 0) return 0.0;
    const double at = a * reaction;
    return std::sqrt(at * at + 2 * a * length) - at;
  };
  const auto braking = [&](double length) {
    return length > 0.05 ? -std::min(speed * speed / (2 * length), 1.5 * a) : -1.5 * a;
  };
  if (room.curvature != 0)
    take(std::sqrt(limits.lateral_acceleration / std::abs(room.curvature)), "curve", 0);
  // A sine of this rms and wavelength shakes by amplitude w^2 v^2.
  if (room.roughness > 0.02)
    take(std::sqrt(limits.vertical_acceleration / (room.roughness * std::sqrt(2.0))) * kWavelength /
             6.2832,
         "rough", 0);
  const double length = room.free_length - limits.gap;
  take(stop_within(length, limits.reaction), "room", braking(length));
  // At the goal it brakes gently, by half.
  const double gentle = 0.5 * a;
  if (const double v = std::sqrt(2 * gentle * std::max(room.goal_length, 0.0)); v < limit.speed)
    limit = {v,
             room.goal_length > 0.05 && speed > 0.8 * v
                 ? -std::min(speed * speed / (2 * room.goal_length), a)
                 : 0,
             "goal"};
  if (speed < limit.speed - 0.5) limit.acceleration = 0;  // there is room to go faster
  return limit;
}

}  // namespace camber::autonomy
