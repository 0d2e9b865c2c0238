#pragma once

// Measurements of a rig. Internal; users include rig.h.

#include <string>
#include <vector>

#include "camber/multibody/constraint_embedding.h"
#include "camber/multibody/dynamics.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/rig.h"
#include "camber/vehicle/vehicle.h"

namespace camber::vehicle::internal {

/// Position of a point of a body; points are given in the design position, and W is V.
template <class T>
multibody::Vec3<T> place_point(const multibody::Model<T>& model,
                               const multibody::PositionKinematics<T>& pos,
                               multibody::BodyIndex body, const Vector3& p) {
  const auto pose = calc_body_pose(model, pos, body);
  return pose.p_WB + pose.R_WB * multibody::Vec3<T>(T(p[0]), T(p[1]), T(p[2]));
}

/// The mechanism's element of that name between two points.
const multibody::SpringDamper& find_element(const multibody::Mechanism& mechanism,
                                            const std::string& name);

/// All quantities of a position, in dual numbers with three directions: left arms up, right arms
/// up, steering. No axle's wheels depend on another axle's arms, so that all left ones share one.
class RigMeasuring {
 public:
  RigMeasuring(const Vehicle& vehicle, const VehicleMechanism& parts,
               const multibody::MechanismDynamics& dynamics,
               const std::vector<double>& loaded_radius);
  RigState measure(const VectorX<double>& q);

 private:
  using Dual = multibody::Dual;
  using Vec3 = multibody::Vec3<Dual>;

  /// Quantities of a wheel for the sums of its axle, with derivatives.
  struct Support {
    Dual spring_load;
    double lift = 0;  // of the wheel's center per unit of the arm's angle [m/rad]
  };

  Vec3 place(multibody::BodyIndex body, const Vector3& p) const;
  Dual length_of(const std::string& element) const;
  void spin_up(multibody::JointIndex joint);
  Dual power(bool of_weights) const;
  void measure_wheel(int corner, RigState* state);
  void measure_kingpin(const Corner& corner, const Vec3& contact, const Vec3& axis, double lift,
                       WheelState* wheel) const;
  void measure_loads(const Dual& rising, WheelState* wheel, Support* support) const;
  void measure_axle(int axle, RigState* state) const;
  std::optional<Turn> measure_turn(const RigState& state) const;

  const Vehicle& vehicle_;
  const VehicleMechanism& parts_;
  const multibody::MechanismDynamics& dynamics_;
  const std::vector<double>& loaded_radius_;
  multibody::Model<Dual> model_;
  multibody::EmbeddedWork<Dual> work_;
  VectorX<Dual> q_, v_, v_rest_;
  std::vector<Support> supports_;  // of each corner
};

}  // namespace camber::vehicle::internal
