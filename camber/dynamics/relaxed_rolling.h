#pragma once

#include <span>
#include <vector>

#include "camber/dynamics/chassis_loads.h"
#include "camber/dynamics/ground.h"
#include "camber/integrate/coordinates.h"
#include "camber/math/types.h"

namespace camber::dynamics {

/// Tires that roll without slip as far as friction goes (docs/theory/driving.md, section 6): the
/// forces in the contacts that all other loads on the vehicle ask for, each within its friction.
/// Along, each wheel holds by itself; across, the two wheels of an axle hold together. Allocates
/// nothing once it is made. One per thread.
template <class Chassis>
class RelaxedRolling {
 public:
  /// For wheels that come in pairs, left and right, whose tires all are rolling constraints.
  RelaxedRolling(const Chassis& chassis, const Ground& ground);

  /// Behind chassis->calc_motion(t, q, v), with loads that lack the forces along and across in the
  /// contacts, and `forces`, what the ground does without them: adds them to both, and finds the
  /// accelerations. False where the chassis has no value.
  bool calc(double t, std::span<const double> q, std::span<const double> v, Ground* ground,
            Chassis* chassis, ChassisLoads* loads, std::span<WheelForces<double>> forces,
            std::span<double> v_dot);

  // Results of the last call; rows are those of each wheel, along and across.
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
