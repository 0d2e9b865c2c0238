#pragma once

#include <span>
#include <vector>

#include "camber/dynamics/chassis_loads.h"
#include "camber/dynamics/ground.h"
#include "camber/integrate/coordinates.h"
#include "camber/math/types.h"

namespace camber::dynamics {

/// Tires that roll without slip as long as friction suffices (docs/theory/driving.md, section 6):
/// the contact forces that all other loads on the vehicle require, each limited by friction.
/// Longitudinally each wheel has its own constraint; laterally the two wheels of an axle share one.
/// Allocates only in the constructor. One per thread.
template <class Chassis>
class RelaxedRolling {
 public:
  /// For wheels in pairs, left and right, whose tires are all rolling constraints.
  RelaxedRolling(const Chassis& chassis, const Ground& ground);

  /// After chassis->calc_motion(t, q, v): adds the longitudinal and lateral contact forces to
  /// `loads` and to `forces`, the forces of the ground without them, and computes the
  /// accelerations. False if the chassis has no value.
  bool calc(double t, std::span<const double> q, std::span<const double> v, Ground* ground,
            Chassis* chassis, ChassisLoads* loads, std::span<WheelForces<double>> forces,
            std::span<double> v_dot);

  // Results of the last call; each wheel has a longitudinal and a lateral row.
  const VectorX<double>& slips() const { return slips_; }   // [m/s]
  const MatrixX<double>& mobility() const { return W_; }    // [1/kg]
  double limit(int wheel) const { return limits_[wheel]; }  // [N]
  int sweeps() const { return sweeps_; }

 private:
  bool calc_mobility(std::span<const double> free, Chassis* chassis, ChassisLoads* loads);
  bool calc_free_rates(double t, std::span<const double> q, std::span<const double> v,
                       std::span<const double> free, Ground* ground, Chassis* chassis);
  void solve();
  void relax_axle(int left);
  void exert(int wheel, ChassisLoads* loads, WheelForces<double>* ground) const;

  int n_;  // wheels
  integrate::Coordinates coordinates_;
  std::vector<tire::RollingConstraint> tires_;
  std::vector<Footing> footings_;
  std::vector<WheelMotion<double>> motions_, moved_;
  std::vector<double> limits_;
  VectorX<double> slips_, before_, behind_, free_rates_;
  MatrixX<double> W_;
  MatrixX<double> response_;  // accelerations of everything by a unit force in each row
  VectorX<double> F_, last_F_;
  int sweeps_ = 0;
  std::vector<double> q_, v_, step_;
};

}  // namespace camber::dynamics
