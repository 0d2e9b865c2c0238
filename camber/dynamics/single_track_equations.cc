#include "camber/dynamics/single_track_equations.h"

#include <cmath>

#include "camber/dynamics/traction_curve.h"

namespace camber::dynamics {

SingleTrackEquations::SingleTrackEquations(const SingleTrack& vehicle,
                                           const SingleTrackEquationsSetup& setup)
    : vehicle_(vehicle), setup_(setup) {
  add_common_quantities();
  outputs_.push_back({"longitudinal_acceleration", "m/s^2"});
  states_ = {{"forward_speed", "m/s", 0.1, "speed"},
             {"lateral_speed", "m/s", 0.1, "yaw and sideslip"},
             {"yaw_rate", "rad/s", 0.1, "yaw and sideslip"},
             {"engine speed", "rad/s", 1, "engine"},
             {"brakes", "rad", 1e-3, "brakes"},
             {"brake pressure", "1", 0.1, "brake pressure"}};
  const driveline::Driveline& d = vehicle_.driveline;
  const double wheel_speed = setup.speed / vehicle_.rolling_radius;
  constexpr double kHolding = 0.15;  // throttle, about what holds a speed on level ground
  if (setup.speed > 0) gear_ = settle_gear(d, wheel_speed, kHolding, setup.is_low_range).gear;
  const driveline::DriveInputs inputs{
      .throttle = 0, .is_low_range = setup.is_low_range, .gear = {.gear = gear_, .left = 0}};
  initial_ = {setup.speed,
              0,
              0,
              settle_engine(d, inputs, wheel_speed),
              setup.speed > 0 ? vehicle_.brakes.spring.twist : 0,
              0};
}

bool SingleTrackEquations::calc(std::span<const double> x, std::span<const double> u,
                                std::span<double> x_dot, std::span<double> y) {
  const SingleTrackState<double> state{.forward = x[0],
                                       .left = x[1],
                                       .turn = x[2],
                                       .engine_speed = x[3],
                                       .brake_twist = x[4],
                                       .brake_pressure = x[5]};
  const SimpleInputs inputs{.steer = u[kSteeringWheel] / setup_.steering_ratio,
                            .throttle = u[kThrottle],
                            .brake = u[kBrake],
                            .is_low_range = setup_.is_low_range};
  const SingleTrackResult<double> result =
      calc_single_track(vehicle_, state, inputs, {.gear = gear_, .left = 0},
                        SimpleGround<double>{.friction = setup_.friction});
  const SingleTrackState<double>& rates = result.rates;
  const double rates_of_x[] = {rates.forward,      rates.left,        rates.turn,
                               rates.engine_speed, rates.brake_twist, rates.brake_pressure};
  for (std::size_t i = 0; i < x_dot.size(); ++i) x_dot[i] = rates_of_x[i];
  y[kSpeed] = std::hypot(x[0], x[1]);
  y[kLateralAcceleration] = result.acceleration_left;
  y[kYawRate] = x[2];
  y[kSideslip] = y[kSpeed] > 0 ? std::atan2(x[1], x[0]) : 0;
  y[kOutputs] = result.acceleration_ahead;
  return true;
}

}  // namespace camber::dynamics
