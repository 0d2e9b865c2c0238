#pragma once

#include <optional>
#include <string>
#include <vector>

#include "camber/driveline/driveline.h"
#include "camber/dynamics/driving_assistance.h"
#include "camber/dynamics/wheel_motion.h"
#include "camber/math/scalar.h"

namespace camber::dynamics {

/// Steering wheel, column and power steering: turns the angle of the steering wheel into a torque at
/// the pitman arm, or a force at the rack. It moves at most at max_rate, acts through a soft shaft,
/// and exerts at most the torque or force of its pump.
struct SteeringGear {
  /// Steering-wheel angle over pitman-arm angle [1] or rack displacement [rad/m], near the center.
  double ratio = 0;
  /// Ratios there, over the gear's position to either side [rad], [m]; linear between, the first one
  /// at 0, held beyond the last. Empty: the same everywhere.
  std::vector<double> ratio_positions = {}, ratios = {};
  double lag = 0;         // of the power steering [s]
  double max_rate = 0;    // at the pitman arm [rad/s], or at the rack [m/s]
  double stiffness = 0;   // of the shaft [N m/rad], [N/m]
  double damping = 0;     // [N m s/rad], [N s/m]
  double max_torque = 0;  // [N m], [N]
  double lock = 0;        // max travel to each side [rad], [m]
  /// Torque that the power steering adds, over the driver's torque, both at the steering wheel [N
  /// m]; ascending from 0. Empty: no assistance.
  std::vector<double> driver_torque = {}, assist_torque = {};
  /// Share of assist_torque over the forward speed [m/s], held beyond both ends. Empty: all of it.
  std::vector<double> assist_speeds = {}, assist_shares = {};
  /// Of the steering wheel and its column, for a driver who steers by torque or lets go
  /// (steering_wheel.h). Without inertia the wheel is always held at an angle.
  double wheel_inertia = 0;  // [kg m^2]
  double wheel_damping = 0;  // [N m s/rad]
  double friction = 0;       // dry, of column and gear, at the steering wheel [N m]
  /// This drive lets it go or turns it by torque: its motion is part of the state.
  bool turns_freely = false;

  /// d(angle of the steering wheel) / d(position of the gear), and how it changes with the position.
  struct LocalRatio {
    double ratio = 0, slope = 0;
  };
  LocalRatio find_ratio(double position) const;
  /// Angle of the steering wheel at a position of the gear [rad], and back.
  double find_wheel_angle(double position) const;
  double find_position(double wheel_angle) const;
  double find_assist_share(double speed) const;
  /// The driver's part of a torque at the pitman arm, or of a force at the rack: at the steering
  /// wheel [N m]. `position` of the gear; `speed` of the vehicle [m/s].
  double find_driver_torque(double torque, double position, double speed) const;
};

struct AirDrag {
  double drag_area = 0;    // c_d A [m^2]
  double density = 1.225;  // [kg/m^3]
  Vec3<double> center;     // of pressure, in the vehicle's frame [m]
};

/// A vacuum booster: pressure over pedal force, both over their full ones. Beyond the runout, where its
/// diaphragm has no more vacuum, only the driver's force adds.
struct BrakeBooster {
  double gain = 1;    // of pressure over pedal up to the runout; 1: none
  double runout = 1;  // pressure there
  double find_pressure(double pedal) const;
};

/// A pressure-limiting valve: beyond the knee the wheels' pressure rises by the slope.
template <class Number>
struct BasicBrakeValve {
  Number knee{2};  // of the line's pressure; beyond 1: none
  Number slope{1};
};
using BrakeValve = BasicBrakeValve<double>;

template <class Number, class T>
T calc_valve(const BasicBrakeValve<Number>& valve, const T& line) {
  using math::select;
  return select(line > valve.knee, T(valve.knee + valve.slope * (line - valve.knee)), line);
}

/// What a chassis is equipped with. Wheels are numbered as the vehicle's: axle by axle, left before
/// right.
struct Equipment {
  std::string name = {};
  driveline::Driveline driveline = {};
  std::vector<driveline::Brake> brakes = {};  // one per wheel
  std::vector<BrakeValve> brake_valves = {};  // one per wheel, or none
  BrakeBooster brake_booster = {};
  double brake_dead_time = 0;  // from the pedal to the line [s]
  /// Between the line and each wheel; controllers of the equipment have one.
  std::optional<BrakeModulator> brake_modulator = {};
  std::optional<AntiLockBrakes> abs = {};
  std::optional<TractionControl> tcs = {};
  std::optional<StabilityControl> esc = {};
  std::vector<bool> has_parking_brake = {};  // one per wheel
  double brake_lag = 0;                      // of the hydraulics [s]
  SteeringGear steering = {};
  AirDrag air = {};
};

}  // namespace camber::dynamics
