#pragma once

// The observable state of a vehicle at one time: the only interface for drivers' views, stop
// conditions, logs, pages and sensors. Axes and signs are those of ISO 8855 (docs/signs.md).

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "camber/autonomy/vehicle_view.h"
#include "camber/math/vec3.h"

namespace camber::dynamics {

using math::Vec3;

/// Parts of a vehicle: names that do not change during a run, in the order of the snapshot's lists.
struct VehicleLayout {
  std::string name = {};                 // as in the vehicle's file
  std::vector<std::string> wheels = {};  // "front_left"; empty for vehicles without single wheels
  std::vector<std::string> axles = {};   // "front"
  std::vector<std::string> steered =
      {};  // columns of VehicleSnapshot::steer_angles: "left", "right"
  bool has_engine = true;
  bool has_steering_torque = false;
  bool has_energy = false;  // the energy balance is kept
  bool has_clutch = false, has_battery = false, has_fuel = false;
  std::vector<std::string> controllers = {};  // of the equipment: "abs", "tcs", "esc"
  /// Names and units of VehicleSnapshot::coordinates; empty for levels that have none.
  std::vector<std::string> coordinates = {}, coordinate_units = {};
  /// Names of the inner forces, if they are logged: "front_left_spring", "front" (a bar's axle),
  /// "front_left_tie_rod", "front_left_upright".
  std::vector<std::string> struts = {}, anti_roll_bars = {}, rods = {}, joints = {};
  std::vector<std::string> accelerometers = {};
};

struct VehicleSnapshot {
  /// One wheel. Forces are those of the ground on the wheel, in the wheel's contact frame.
  struct Wheel {
    Vec3<double> center;         // [m] in W
    Vec3<double> axis;           // of its spin, unit, pointing left, in W
    Vec3<double> contact_point;  // [m] in W
    Vec3<double> force;          // total force of the ground at the wheel center [N] in W
    double load = 0;             // normal force [N]
    double longitudinal_force = 0, lateral_force = 0;  // [N]
    double slip = 0;                                   // longitudinal; driving is positive [1]
    double slip_angle = 0;  // [rad] positive when the wheel moves to the left of its plane
    double camber = 0;      // relative to the ground; top outward is positive [rad]
    double steer = 0;       // angle of the wheel plane against the body, to the left + [rad]
    double spin = 0;        // against the hub [rad/s]
    double deflection = 0;  // of the tire [m]
    double sinkage = 0;     // into soft ground [m]
    double drive_torque = 0, brake_torque = 0;  // at the wheel [N m]
    double travel = 0;           // of the wheel center, up against the body, from design [m]
    double brake_pressure = 0;   // 0 to 1
    double line_pressure = 0;    // what the pedal asks for there, behind the valves
    double aligning_torque = 0;  // of the ground about its normal at the contact, left + [N m]
    double ground_height = 0;    // of the contact point [m]
  };
  /// One axle of a vehicle without single wheels (single track).
  struct Axle {
    double load = 0, longitudinal_force = 0, lateral_force = 0;  // [N]
  };
  /// A spring, its stops or a shock.
  struct Strut {
    double force = 0;   // tension + [N]
    double length = 0;  // between its ends [m]
    double rate = 0;    // of the length [m/s]
  };
  /// The energy balance since the start [J].
  struct Energy {
    double kinetic = 0, potential = 0, elastic = 0;
    double work = 0;        // of the engine and the power steering
    double dissipated = 0;  // in tires, brakes, dampers, gears and air
    double error = 0;       // what is missing from the balance
    double tire_loss = 0, tire_treads = 0, tire_springs = 0, into_tire_springs = 0;
  };

  double time = 0;  // [s]

  // Chassis: the origin of the vehicle's frame, its rotation (about z, then y, then x), and motion
  // along level axes that follow the yaw: forward, left, up.
  Vec3<double> position;                                         // [m] in W
  math::Mat3<double> rotation = math::Mat3<double>::identity();  // R_WV
  double roll = 0, pitch = 0, yaw = 0;                           // [rad]; yaw is not wrapped
  Vec3<double> velocity;                                         // [m/s]
  Vec3<double> rates;                                            // [rad/s] about the same axes
  Vec3<double> acceleration;  // of the chassis' center of mass, without gravity [m/s^2]
  double sideslip = 0;        // ISO 8855, of the vehicle's center of mass; 0 below 0.5 m/s [rad]

  /// Motion of the vehicle's frame V in W, expressed in W and taken at V's origin: what a sensor on
  /// the chassis feels follows from it. Levels without suspension follow the ground and leave the
  /// angular acceleration out.
  struct FrameMotion {
    Vec3<double> velocity, acceleration;                  // [m/s], [m/s^2]
    Vec3<double> angular_velocity, angular_acceleration;  // [rad/s], [rad/s^2]
  };
  FrameMotion frame;

  autonomy::Command command;         // request of the driver
  std::vector<double> steer_angles;  // of the steered wheels against the body, left + [rad]
  double steering_position = 0;      // pitman angle [rad] or rack displacement [m], left +
  double steering_rate = 0;          // its rate
  double steering_wheel_angle = 0;   // to the left + [rad]
  double steering_wheel_torque = 0;  // of the driver on it, to the left + [N m]
  double engine_speed = 0, engine_torque = 0;  // [rad/s], [N m]
  int gear = 0;                                // -1 reverse, 0 neutral; in a shift the next one
  double brake_pressure = 0;                   // of the line, 0 to 1
  double clutch = 0;                           // share to which it is closed
  struct Fuel {
    double rate = 0, used = 0, volume = 0;  // [kg/s], [kg], [m^3]; since the start
  };
  Fuel fuel;
  struct Battery {
    double charge = 0;   // 0 to 1
    double current = 0;  // out of it is positive [A]
    double voltage = 0;  // of its source [V]
    double energy = 0;   // taken from it since the start, its own losses included [J]
  };
  Battery battery;
  std::vector<double> controller_activity;  // 0 to 1, of VehicleLayout::controllers

  std::vector<Wheel> wheels;
  std::vector<Axle> axles;
  std::optional<Energy> energy;

  // Inner forces, in the order of the layout's names; empty if they are not asked for.
  std::vector<Strut> struts;
  std::vector<double> bar_twists, bar_torques;  // right half against left, about y [rad], [N m]
  std::vector<double> rod_forces;               // tension + [N]
  /// Six per joint: force and torque on its child at the joint, in the vehicle's axes [N], [N m].
  std::vector<double> joint_loads;
  std::vector<Vec3<double>> accelerations;  // of VehicleLayout::accelerometers [m/s^2]

  /// Generalized positions: Vehicle::find_poses_at() finds the poses of all bodies from them.
  std::vector<double> coordinates;
};

/// VehicleSnapshot::sideslip of a velocity at the center of mass.
inline double calc_sideslip(double forward, double left) {
  constexpr double kMinSpeed = 0.5;  // [m/s]
  return std::hypot(forward, left) < kMinSpeed ? 0 : std::atan2(left, forward);
}

/// Pose of one body of the vehicle.
struct BodyPose {
  Vec3<double> position;  // of the body's frame, which is the vehicle's in the design position [m]
  math::Mat3<double> rotation = math::Mat3<double>::identity();
};

/// Pose of one body of the vehicle, for drawing.
struct NamedPose {
  std::string_view name;  // "front_left_upright"; lives as long as the vehicle
  Vec3<double> position;  // of the body's frame, which is the vehicle's in the design position [m]
  math::Mat3<double> rotation = math::Mat3<double>::identity();
};

}  // namespace camber::dynamics
