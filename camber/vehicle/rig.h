#pragma once

// A kinematics rig: the chassis is held, the wheels are moved up and down and steered, and their
// positions are measured. Definitions after ISO 8855 (docs/manual/rig.md); axes are those of V: x
// forward, y left, z up.

#include <memory>
#include <optional>
#include <vector>

#include "camber/math/types.h"
#include "camber/multibody/dynamics.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle.h"

namespace camber::vehicle {

namespace internal {
class RigMeasuring;
}

/// The axis about which a wheel is steered, relative to vertical and ground.
struct Kingpin {
  double caster = 0;        // top to the rear is positive [rad]
  double inclination = 0;   // top inward is positive [rad]
  double scrub_radius = 0;  // from the axis to the contact, outward; along the wheel's axis [m]
  double trail = 0;         // from the contact forward to the axis; along the wheel's heading [m]
};

/// One wheel at one position of the rig.
struct WheelState {
  double arm = 0;                  // travel joint's angle [rad]
  double travel = 0;               // of the center above the design position [m]
  Vector3 center, contact;         // contact: the lowest point at the loaded radius [m]
  Vector3 axis;                    // of the wheel, pointing left
  double camber = 0;               // top outward is positive [rad]
  double toe = 0;                  // nose inward is positive [rad]
  double steer = 0;                // nose to the left is positive [rad]
  std::optional<Kingpin> kingpin;  // a trailing arm has none
  double spring_length = 0;        // [m]
  double shock_length = 0;         // [m]
  double load = 0;                 // on the ground: springs, stops and the corner's weight [N]
  double spring_load = 0;          // the springs' part of it [N]
  double camber_by_steer = 0;      // at held arms, per rad or m of the steering
  double steer_by_steer = 0;       // the same

  // Derivatives: per meter of the wheel center's travel.
  double camber_gain = 0, toe_gain = 0;      // [rad/m]
  double caster_gain = 0;                    // [rad/m]; 0 without a kingpin
  Vector3 center_slope, contact_slope;       // of points on the carrier; z of the first is 1
  double spring_ratio = 0, shock_ratio = 0;  // shortening [1]
  double rate = 0;                           // of spring_load, both wheels up alike [N/m]
  double roll_rate = 0;                      // and one up, the other down [N/m]
  /// Frequency of a body at rest here on its springs alone [Hz]; NaN if it cannot be.
  double ride_frequency = 0;
};

/// Quantities of both wheels of an axle. NaN for an axle of one wheel.
struct AxleState {
  double track = 0;               // between the contacts [m]
  double roll = 0;                // of the ground, as the wheels' contacts tell; left up [rad]
  double roll_center_height = 0;  // over the middle between the contacts [m]
  double roll_stiffness = 0;      // springs and anti-roll bar [N m/rad]
};

/// Path by the steered axle, with wheels rolling without slip.
struct Turn {
  double rear_radius = 0;   // of the middle of the unsteered axles; left turns are positive [m]
  double outer_radius = 0;  // of the outer steered wheel's center [m]
  double ackermann = 0;     // share of the ideal difference of cotangents; NaN straight ahead
};

struct RigState {
  double steering = 0;             // of pitman or rack [rad] or [m]
  std::vector<WheelState> wheels;  // one per corner, in the order of Rig::corners()
  std::vector<AxleState> axles;    // in the order of Vehicle::axles
  std::optional<Turn> turn;        // of a vehicle that has steered and unsteered axles
  double closure_error = 0;        // largest error of all loops [m] or [1]
};

struct RigOptions {
  /// From a wheel's center to the ground [m], one per axle; if missing, the unloaded radius.
  std::vector<double> loaded_radius;
};

/// Bushings count as ideal, and given motions of the steering are removed: only arms and steering
/// move. Values come from dual numbers and are exact to rounding. One per thread.
class Rig {
 public:
  /// Throws std::invalid_argument as expand() does, and for radii that do not fit.
  explicit Rig(const Vehicle& vehicle, const RigOptions& options = {});
  ~Rig();

  const Vehicle& vehicle() const { return vehicle_; }
  const std::vector<Corner>& corners() const { return parts_.corners; }
  bool has_steering() const { return parts_.steering.valid(); }
  double loaded_radius(int axle) const { return loaded_radius_[axle]; }
  const multibody::MechanismDynamics& dynamics() const { return dynamics_; }
  /// All joint coordinates, loops closed.
  const VectorX<double>& q() const { return q_; }

  /// Back to the design position.
  void reset();
  /// Moves the steering to `position`, arms held. False if the linkage does not reach it; it then
  /// remains at its end.
  bool steer(double position);
  /// Moves a wheel's center to `travel` above its design position, steering held. False if the
  /// suspension does not reach it; it then remains near its end.
  bool lift(int corner, double travel);
  /// Moves a wheel until its spring has a length. False as for lift().
  bool compress(int corner, double spring_length);
  /// Moves an arm to an angle of its hinge, from the design position.
  bool turn_arm(int corner, double angle);

  double steering() const;
  double travel(int corner);
  /// All quantities of the present position.
  RigState measure();

 private:
  /// The target, and its derivative by the joint's coordinate.
  struct Reading {
    double value = 0, slope = 0;
  };

  int coordinate_of(multibody::JointIndex joint) const;
  int speed_of(multibody::JointIndex joint) const;
  bool close_at(int coordinate, double position);
  template <class F>
  bool bring(int coordinate, double target, const F& read);
  void spin_up(multibody::JointIndex joint);
  Reading read_height(int corner);
  Reading read_spring(int corner);

  Vehicle vehicle_;
  VehicleMechanism parts_;
  multibody::MechanismDynamics dynamics_;
  std::vector<double> loaded_radius_;
  VectorX<double> q_, v_;
  multibody::EmbeddedWork<double> work_;
  std::unique_ptr<internal::RigMeasuring> measuring_;
};

}  // namespace camber::vehicle
