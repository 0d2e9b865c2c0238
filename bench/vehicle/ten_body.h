#pragma once

#include <vector>

#include "camber/lagrange/acceleration_equations.h"
#include "camber/math/types.h"
#include "camber/multibody/dynamics.h"

namespace camber::bench {

/// The ten bodies of models/hmmwv-10-body.toml as a mechanism, from the figures of that file: the
/// same vehicle for the recursion. Each front carrier hangs on a massless arm, and couplers turn
/// it about its kingpin with the steering link, so that 15 of 17 speeds are independent. Upward
/// forces at the wheel centers are its wrenches, in the order of the file's inputs.
multibody::Mechanism make_ten_body_mechanism(const lagrange::System& system);

/// One state in both: [q; u] as the equations have it, and the mechanism's coordinates and speeds.
class TenBodyOrder {
 public:
  TenBodyOrder(const lagrange::AccelerationEquations& equations,
               const multibody::MechanismTree& mechanism, double steer);

  void to_mechanism(const VectorX<double>& x, VectorX<double>* q, VectorX<double>* v) const;
  VectorX<double> from_mechanism(const VectorX<double>& q, const VectorX<double>& v) const;
  /// Where x has the chassis's x, y and z.
  const int* position() const { return position_; }
  /// Those accelerations of the mechanism that the equations have, in their order.
  VectorX<double> accelerations(const VectorX<double>& v_dot) const;

 private:
  struct Place {
    int q = 0, u = 0;            // in x
    int tree_q = 0, tree_v = 0;  // of the joint
    double factor = 1;           // tree = factor * x
    bool is_copy = false;        // kingpins, which repeat the link
  };
  int nq_ = 0, nv_ = 0;
  int attitude_[3] = {}, position_[3] = {}, base_u_ = 0;  // yaw, pitch, roll; x, y, z; wx in x
  int base_q_ = 0, base_v_ = 0;
  std::vector<Place> places_;
};

}  // namespace camber::bench
