#pragma once

// Inputs and outputs of every tire model. The contact frame C has x along the wheel's plane on the
// ground, y to the left, z along the ground's normal. Forces are those of the ground on the wheel.

namespace camber::tire {

/// A rolling tire's motion over the ground. A driven wheel has kappa > 0; a hub that moves to the
/// left of its plane has alpha > 0, and the ground then pushes to the right, Fy < 0.
template <class T>
struct Slip {
  T kappa;                 // (R_e omega - V_x) / |V_x|
  T tan_alpha;             // V_y / |V_x|
  T gamma = T(0);          // inclination of the wheel's plane to the normal [rad]
  T Fz;                    // load [N], not negative
  T friction = T(1);       // of the ground, as a share of what the tire's data were measured on
  T half_length = T(0.1);  // half the contact's length [m]; where a model has none of its own
  T direction = T(1);      // the sign of V_x: backward, a wheel that is driven has kappa < 0
  T speed = T(0);          // V_x, where rolling resistance grows with it [m/s]
};

template <class T>
struct TireForce {
  T Fx = T(0), Fy = T(0);             // [N]
  T Mx = T(0), My = T(0), Mz = T(0);  // at the contact point [N m]
};

/// Slopes at zero slip.
template <class T>
struct SlipStiffness {
  T Kx;  // dFx/dkappa [N]
  T Ky;  // -dFy/dtan(alpha) [N]
};

}  // namespace camber::tire
