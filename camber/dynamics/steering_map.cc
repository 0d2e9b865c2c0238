#include "camber/dynamics/steering_map.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "camber/core/require.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/dynamics/mechanism_chassis.h"
#include "camber/math/polygon.h"

namespace camber::dynamics {

double SteeringMap::find_position(double wheel_angle) const {
  return math::look_up_held(angle, position, wheel_angle);
}

double SteeringMap::find_angle(double gear_position) const {
  std::vector<double> x = position, y = angle;
  if (x.front() > x.back()) {
    std::ranges::reverse(x);
    std::ranges::reverse(y);
  }
  return math::look_up_held(x, y, gear_position);
}

double SteeringMap::center_slope() const {
  constexpr double kAngle = 0.01;  // to both sides [rad]
  return std::abs(find_position(kAngle) - find_position(-kAngle)) / (2 * kAngle);
}

template <class Chassis>
double calc_steer_angle(const Chassis& chassis, int wheel) {
  const Vec3<double> axis = transpose_times(chassis.base(wheel).R_WB, chassis.wheel(wheel).axis);
  return std::atan2(-axis[0], axis[1]);
}

template <class Chassis>
double calc_mean_steer_angle(const Chassis& chassis) {
  const std::vector<int>& wheels = chassis.steered_wheels();
  if (wheels.empty()) return 0;
  double sum = 0;
  for (const int wheel : wheels) sum += calc_steer_angle(chassis, wheel);
  return sum / static_cast<double>(wheels.size());
}

template <class Chassis>
SteeringMap make_steering_map(const std::vector<double>& q, double lock, Chassis* chassis) {
  constexpr int kPoints = 20;  // to each side
  require(chassis->steering_speed() >= 0,
          "a drive steers: the vehicle needs a steering whose motion is not given");
  SteeringMap map;
  const std::vector<double> rest(static_cast<std::size_t>(chassis->nv()), 0.0);
  for (int k = -kPoints; k <= kPoints; ++k) {
    const double position = lock * k / kPoints;
    std::vector<double> turned = q, displacement = rest;
    displacement[chassis->steering_speed()] = position;
    if (!chassis->move(displacement, turned) || !chassis->calc_motion(0, turned, rest))
      throw std::invalid_argument(concat("the steering does not reach ", position,
                                         " of its travel to lock: ", chassis->why()));
    map.angle.push_back(calc_mean_steer_angle(*chassis));
    map.position.push_back(position);
  }
  if (map.angle.front() > map.angle.back()) {
    std::ranges::reverse(map.angle);
    std::ranges::reverse(map.position);
  }
  for (std::size_t k = 1; k < map.angle.size(); ++k) {
    if (map.angle[k] <= map.angle[k - 1])
      throw std::invalid_argument(concat("the steered wheels turn back between ",
                                         map.position[k - 1], " and ", map.position[k],
                                         " of the steering gear"));
  }
  return map;
}

#define CAMBER_INSTANTIATE(Chassis)                      \
  template double calc_steer_angle(const Chassis&, int); \
  template double calc_mean_steer_angle(const Chassis&); \
  template SteeringMap make_steering_map(const std::vector<double>&, double, Chassis*);
CAMBER_INSTANTIATE(MechanismChassis)
CAMBER_INSTANTIATE(GeneratedChassis)
#undef CAMBER_INSTANTIATE

}  // namespace camber::dynamics
