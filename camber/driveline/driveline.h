#pragma once

#include <array>
#include <string>

#include "camber/driveline/brake.h"
#include "camber/driveline/differential.h"
#include "camber/driveline/engine.h"
#include "camber/driveline/gearbox.h"
#include "camber/driveline/torque_converter.h"

namespace camber::driveline {

/// Engine, converter, gearbox, transfer case with a center differential, two axles with
/// differentials, hubs: permanent four-wheel drive, or one axle alone where the center's share is 1
/// (front) or 0. Wheels: front left, front right, rear left, rear right.
struct Driveline {
  Engine engine;
  TorqueConverter converter;
  Gearbox gearbox;
  double transfer_high = 1, transfer_low = 2.61;
  double axle_ratio = 2.73;
  double hub_ratio = 1.92;
  double efficiency = 0.85;  // from turbine to wheels, when the engine drives
  Differential center, front, rear;
  /// In low range a clutch locks the center differential: its torque over the difference of the
  /// axles' speeds [N m s/rad]. As firm as 1 ms steps can be without ringing.
  double low_range_lock = 0;
};

struct DriveInputs {
  double throttle = 0;  // 0 to 1
  bool is_low_range = false;
  GearState gear = {};
};

template <class T>
struct DrivelineResult {
  T engine_rate;                    // of the engine's speed [rad/s^2]
  std::array<T, 4> wheel_torques;   // [N m]
  T engine_torque, turbine_torque;  // [N m]
};

/// Input over output speed from the turbine to the wheels; 0 in neutral.
double total_ratio(const Driveline& driveline, const DriveInputs& inputs);

/// One state: the engine's speed. Shafts are rigid and without mass.
template <class T>
DrivelineResult<T> calc_driveline(const Driveline& d, const DriveInputs& inputs,
                                  const T& engine_speed, const std::array<T, 4>& wheel_speeds) {
  using math::select;
  using std::sqrt;
  constexpr double kSoftTurning = 5;  // of the turbine [rad/s]
  const double ratio = total_ratio(d, inputs);
  DrivelineResult<T> result;
  const T front_speed = 0.5 * (wheel_speeds[0] + wheel_speeds[1]);
  const T rear_speed = 0.5 * (wheel_speeds[2] + wheel_speeds[3]);
  const T turbine_speed = ratio * calc_input_speed(d.center, front_speed, rear_speed);
  ConverterTorques<T> converter{T(0), T(0)};
  // While it shifts the clutches slip, and nobody gives it throttle.
  const double held = engagement(d.gearbox, inputs.gear);
  if (ratio != 0 && held > 0) {
    converter = calc_converter(d.converter, engine_speed, turbine_speed);
    converter.pump = held * converter.pump;
    converter.turbine = held * converter.turbine;
  }
  result.engine_torque = calc_engine_torque(d.engine, engine_speed, T(held * inputs.throttle));
  result.turbine_torque = converter.turbine;
  result.engine_rate = (result.engine_torque - converter.pump) / d.engine.inertia;
  // Gears take their share of what goes through them, in either direction. The share comes with
  // the speed: a jump at rest would rattle between both directions and let brakes creep.
  const T sense = select(converter.turbine < 0.0, T(-turbine_speed), turbine_speed);
  const T turning = sense / sqrt(sense * sense + kSoftTurning * kSoftTurning);
  const double loss = 1 - d.efficiency;
  const T passed =
      converter.turbine * (1.0 - turning * select(turning < 0.0, T(loss / d.efficiency), T(loss)));
  ShaftTorques<T> axles = calc_differential(d.center, T(ratio * passed), front_speed, rear_speed);
  if (inputs.is_low_range) {
    const T moved = d.low_range_lock * (front_speed - rear_speed);
    axles = {T(axles.first - moved), T(axles.second + moved)};
  }
  const ShaftTorques<T> front =
      calc_differential(d.front, axles.first, wheel_speeds[0], wheel_speeds[1]);
  const ShaftTorques<T> rear =
      calc_differential(d.rear, axles.second, wheel_speeds[2], wheel_speeds[3]);
  result.wheel_torques = {front.first, front.second, rear.first, rear.second};
  return result;
}

/// The M998's 6.2 l Diesel: a torque curve drawn through the two published points, 339 N m at 2000
/// rpm and 112 kW at 3600 rpm (TM 9-2320-280-10), a converter of 1680 rpm stall, three gears.
Driveline make_hmmwv_driveline();

}  // namespace camber::driveline
