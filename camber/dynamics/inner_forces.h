#pragma once

// Forces inside a vehicle, for its log: of springs, stops and shocks, anti-roll bars, rods and joints;
// and accelerations of points of its bodies.
//
// They follow from a state of the vehicle and its loads by `ce`, whatever formulation drives
// (docs/theory/driving.md, section 13). They influence nothing.

#include <span>
#include <string>
#include <vector>

#include "camber/dynamics/snapshot.h"
#include "camber/dynamics/tree_motion.h"

namespace camber::dynamics {

/// A point whose acceleration is measured.
struct Accelerometer {
  std::string name;
  multibody::BodyIndex body;
  Vec3<double> point;  // in the body's frame, which is the vehicle's in the design position [m]
};

class InnerForces {
 public:
  explicit InnerForces(TreeMotion motion);

  /// Names of what a vehicle has, in the order of VehicleSnapshot's lists.
  void name_parts(VehicleLayout* layout) const;

  /// What acts at a state under these loads. False if a loop stays open or the accelerations have no
  /// value: then the results are NaN.
  template <class Chassis>
  bool update(Chassis* chassis, double t, std::span<const double> q, std::span<const double> v,
              const ChassisLoads& loads);

  // After it:
  void write_forces(const math::Mat3<double>& R_WV, VehicleSnapshot* out) const;
  /// Along the axes of the point's body, without gravity [m/s^2].
  Vec3<double> find_acceleration(const Accelerometer& place) const;

 private:
  const multibody::Mechanism& mechanism() const {
    return motion_.chassis().dynamics().tree().mechanism;
  }
  VehicleSnapshot::Strut find_strut(std::size_t spring) const;

  TreeMotion motion_;
  std::vector<std::size_t> bars_;    // joints about which anti-roll bars are twisted
  std::vector<std::size_t> joints_;  // all others than the body's own
  std::vector<std::size_t> rods_;    // rows of the rods
  bool is_known_ = false;
};

}  // namespace camber::dynamics
