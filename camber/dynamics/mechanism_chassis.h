#pragma once

#include <span>
#include <string>
#include <vector>

#include "camber/dynamics/chassis_loads.h"
#include "camber/integrate/coordinates.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/reactions.h"
#include "camber/vehicle/expand.h"

namespace camber::dynamics {

/// A vehicle's chassis and suspension by the formulations `ce`, `ta` and `fa` of its mechanism. It
/// evaluates the kinematics twice, once for the motion of the wheels and once after their forces:
/// it serves to check the faster chassis, and to drive vehicles that these cannot. One per thread.
class MechanismChassis {
 public:
  /// Throws what multibody::MechanismDynamics throws.
  MechanismChassis(const vehicle::VehicleMechanism& vehicle, multibody::Formulation formulation);

  /// Its mechanism, with places for loads as wrenches.
  const multibody::MechanismDynamics& dynamics() const { return dynamics_; }
  int nq() const { return dynamics_.nq(); }
  int nv() const { return dynamics_.nv(); }
  int wheel_count() const { return static_cast<int>(vehicle_.corners.size()); }
  std::span<const double> initial_q() const;
  std::span<const double> initial_v() const;
  /// Height of the frame's origin above level ground, as the vehicle's file says [m].
  double design_height() const { return free_link(dynamics_.tree().model).p_PF[2]; }
  const std::string& wheel_name(int i) const { return vehicle_.corners[i].name; }
  /// Between two tires on a wheel's hub [m]; 0: one.
  double dual_spacing(int i) const { return vehicle_.corners[i].dual_spacing; }
  bool is_towed(int i) const { return vehicle_.corners[i].is_towed; }
  /// The wheels of the axle that the steering moves.
  const std::vector<int>& steered_wheels() const { return vehicle_.steered; }

  /// Closes the loops and computes the motion of all bodies; false if that is not possible: why().
  bool calc_motion(double t, std::span<const double> q, std::span<const double> v);
  /// The same from the coordinates and speeds that are independent at the start, as in generated
  /// code; calc_motion() uses others if wheels hang far down. The dependent entries of q are
  /// starting values and get the result. False if loops remain open. `keeps_positions`: positions
  /// are those that closing the loops has found; else they are computed again from q, with other
  /// last digits.
  bool complete_motion(double t, std::span<double> q, std::span<double> v,
                       bool keeps_positions = false);
  // After one of them:
  WheelMotion<double> wheel(int i) const { return move_wheel(i, vel_); }
  BodyMotion body() const;
  /// Motion of the body that carries a wheel: the chassis, or the trailer's.
  BodyMotion base(int wheel) const;
  multibody::BodyPose<double> pose(multibody::BodyIndex body) const;
  /// Motion of a body's frame.
  BodyMotion motion(multibody::BodyIndex body) const;
  SteeringMotion steering() const;
  bool calc_accelerations(const ChassisLoads& loads, std::span<double> v_dot);
  /// All forces inside the vehicle and the accelerations of its bodies under these loads; not of
  /// `fa`. False if the accelerations have no value.
  bool calc_inner_forces(const ChassisLoads& loads);
  // After it:
  const multibody::Reactions& reactions() const { return reactions_; }
  /// Acceleration of a point of a body, in W, without gravity [m/s^2].
  Vec3<double> find_acceleration(multibody::BodyIndex body, const Vec3<double>& p_B) const;
  /// The coordinate of a joint with one.
  double find_coordinate(std::size_t joint) const;
  /// The wheels' motion at other speeds.
  void move_wheels(std::span<const double> v, std::span<WheelMotion<double>> wheels);
  /// Kinetic, of gravity, and of springs [J]; what the dampers take at this moment [W].
  struct Energy {
    double kinetic = 0, gravity = 0, elastic = 0, damping_power = 0;
  };

  /// After a step: closes the loops.
  static constexpr bool has_projection() { return true; }
  bool project(double t, std::span<double> q, std::span<double> v) {
    return dynamics_.project(t, q, v);
  }
  /// This state in the tree's coordinates; those that loops determine are starting values. And
  /// back.
  void to_tree(std::span<const double> q, std::span<const double> v, std::span<double> tree_q,
               std::span<double> tree_v) {
    dynamics_.to_tree(q, v.first(static_cast<std::size_t>(nv())), tree_q, tree_v);
  }
  void from_tree(std::span<const double> tree_q, std::span<const double> tree_v,
                 std::span<double> q, std::span<double> v) {
    dynamics_.from_tree(tree_q, tree_v, q, v);
  }
  /// Whether its coordinates are independent: a change of one of them moves other coordinates only
  /// as the loops require. make_embedded() is the same chassis by `ce`, for which this holds.
  bool is_embedded() const { return dynamics_.formulation() == multibody::Formulation::kCe; }
  MechanismChassis make_embedded() const { return {vehicle_, multibody::Formulation::kCe}; }
  /// Its state is that of joints; not of `fa`, whose state is the bodies' poses.
  bool has_joint_coordinates() const {
    return dynamics_.formulation() != multibody::Formulation::kFa;
  }

  // By joint coordinates alone.
  Energy calc_energy();
  /// Moves the chassis body to a pose; coordinates relative to it do not change.
  void set_pose(const Quaternion& rotation, const Vector3& p_WB, std::span<double> q) const;
  /// Moves q along a displacement, one number per speed; loops stay closed; if coordinates are not
  /// independent, all of them are adjusted.
  bool move(std::span<const double> displacement, std::span<double> q);

  // For integrators and messages.
  std::vector<integrate::CoordinateBlock> blocks() const;
  std::vector<std::string> names() const;      // of q, then of v
  std::vector<SpeedKind> speed_kinds() const;  // of each of v
  /// Places in v: of the chassis body's six; by joint coordinates of each corner's, of each wheel's
  /// spin.
  int body_speeds() const { return free_link(dynamics_.model()).v_start; }
  std::vector<int> corner_speeds(int wheel) const;
  int spin_speed(int wheel) const;
  int steering_speed() const;             // -1 where nothing steers
  std::vector<int> hitch_speeds() const;  // roll and pitch of a trailer; empty without one
  /// Places in v of the speeds that are independent at the start, ascending.
  std::vector<int> independent_speeds() const;

  const std::string& why() const { return dynamics_.why(); }

 private:
  const multibody::Link<double>& free_link(const multibody::Model<double>& model) const;
  void require_joints(const char* caller) const;
  void calc_kinematics();  // at q_ and v_
  WheelMotion<double> move_wheel(int i, const multibody::VelocityKinematics<double>& vel) const;
  const multibody::Spatial<double>& velocity(multibody::BodyIndex body) const;
  Vec3<double> velocity_at(multibody::BodyIndex body, const Vec3<double>& p_W) const;

  static multibody::Mechanism with_wrenches(const vehicle::VehicleMechanism& vehicle);

  vehicle::VehicleMechanism vehicle_;
  multibody::BodyIndex steered_;  // what the steering's joint moves; invalid: none
  Vector3 steering_axis_ = Vector3::UnitZ(), steering_point_ = Vector3::Zero();
  bool steers_by_turning_ = true;
  multibody::MechanismDynamics dynamics_;
  double t_ = 0;
  VectorX<double> q_, v_, step_;
  multibody::PositionKinematics<double> pos_;
  multibody::VelocityKinematics<double> vel_;
  VectorX<double> other_v_;  // of move_wheels()
  multibody::VelocityKinematics<double> other_vel_;

  // For complete_motion().
  multibody::Partition partition_;
  std::optional<multibody::EmbeddedWork<double>> embedded_;

  // For inner forces.
  VectorX<double> v_dot_;
  multibody::VelocityKinematics<double> accelerated_;
  multibody::Reactions reactions_;

  // For energies: the same model without loads, its forces with and without speeds.
  multibody::Model<double> unloaded_;
  multibody::VelocityKinematics<double> still_;
  multibody::Forces<double> forces_, still_forces_;
  VectorX<double> no_speeds_;
};

}  // namespace camber::dynamics
