#pragma once

#include "camber/tire/slip.h"

namespace camber::tire {

/// Fiala's tire in the form of ADAMS/Tire: friction falls with the slip; along and across do not
/// know of each other, so their sum may leave the friction circle.
struct FialaTire {
  double slip_stiffness = 1.9e5;       // CSLIP, dFx/dkappa [N]
  double cornering_stiffness = 5.0e4;  // CALPHA [N/rad]
  double least_friction = 0.56;        // UMIN, at full slip
  double most_friction = 0.98;         // UMAX, at none
  double width = 0.32;                 // [m]
};

template <class T>
TireForce<T> calc_steady_force(const FialaTire& tire, const Slip<T>& slip);
template <class T>
SlipStiffness<T> calc_slip_stiffness(const FialaTire& tire, const T& Fz, const T& friction);

}  // namespace camber::tire
