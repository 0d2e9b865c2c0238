#pragma once

#include "camber/tire/slip.h"

namespace camber::tire {

/// Fiala's tire: in pure slip that of ADAMS/Tire, in combined slip within the friction circle, or as
/// there, where longitudinal and lateral forces do not depend on each other.
struct FialaTire {
  double slip_stiffness = 0;       // CSLIP, dFx/dkappa [N]
  double cornering_stiffness = 0;  // CALPHA [N/rad]
  double min_friction = 0;         // UMIN, at full slip
  double max_friction = 0;         // UMAX, at no slip
  double width = 0;                // [m]
  bool is_combined = true;  // false: as in ADAMS/Tire, the force may leave the friction circle
  bool operator==(const FialaTire&) const = default;
};

template <class T>
TireForce<T> calc_steady_force(const FialaTire& tire, const Slip<T>& slip);
template <class T>
SlipStiffness<T> calc_slip_stiffness(const FialaTire& tire, const T& Fz, const T& friction);

}  // namespace camber::tire
