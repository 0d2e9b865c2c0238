#pragma once

#include "camber/tire/slip.h"

namespace camber::tire {

/// A row of bristles under a parabolic pressure, the same stiffness along and across [Pacejka 2012,
/// section 3.2]. It has the friction circle and the aligning torque, from three figures; a fourth one
/// lets its friction fall with the slip.
struct BrushTire {
  double tread_stiffness = 0;  // of the bristles per length of the contact [N/m^2]
  double half_length = 0;      // of the contact [m]
  double friction = 0;         // at no slip
  double friction_loss = 0;    // how much less it is at full slip
  bool operator==(const BrushTire&) const = default;
};

template <class T>
TireForce<T> calc_steady_force(const BrushTire& tire, const Slip<T>& slip);
template <class T>
SlipStiffness<T> calc_slip_stiffness(const BrushTire& tire, const T& Fz, const T& friction);

}  // namespace camber::tire
