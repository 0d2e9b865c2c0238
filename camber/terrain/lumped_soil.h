#pragma once

// The soil of ROAMS: the tire is rigid and its spring, damper and the soil's are lumped into one
// under the wheel ([ROAMS] Cameron et al., NDIA GVSETS 2013; docs/theory/soil.md, section 5).

#include <cmath>

#include "camber/math/scalar.h"
#include "camber/math/vec3.h"
#include "camber/terrain/rigid_wheel.h"
#include "camber/terrain/soil.h"

namespace camber::terrain {

struct LumpedSoil {
  double stiffness = 3e5;  // k [N/m]
  double damping = 4e3;    // d [N s/m]
  double cohesion = 0.0;   // c [Pa]
  double tan_phi = 0.6;
  double shear_modulus = 0.02;           // K of the bristle [m]
  double shear_damping = 2e3;            // beside the bristle [N s/m]
  double radius = 0.47, width = 0.3175;  // of the wheel [m]
};

/// Tire and soil in series: 1/k = 1/k_tire + 1/k_soil, the second as dW/dz of the rigid wheel
/// (rigid_wheel.h) under its static load. Throws std::invalid_argument where that wheel bottoms.
LumpedSoil make_lumped_soil(const Soil& soil, const RigidWheel& wheel, double tire_stiffness,
                            double load, double damping);

/// How the deepest point of the wheel moves against the ground, in the contact frame: x forward, y
/// left, z along the normal.
template <class T>
struct LumpedMotion {
  T depth{0}, depth_rate{0};  // penetration, positive down [m], [m/s]
  T vx{0}, vy{0};             // sliding velocity of the rim against the ground [m/s]
};

template <class T>
struct LumpedForces {
  T Fx{0}, Fy{0}, Fz{0};                   // of the ground on the wheel [N]
  T bristle_rate_x{0}, bristle_rate_y{0};  // d/dt of the two states below [1/s]
};

/// Forces and rates for a bristle (mx, my), the mobilized part of the strength, |m| <= 1:
///   Fz = max(0, k depth + d min(1, depth/1 cm) depth_rate)    (1)
///   F_max = c A + Fz tan phi,  A = b sqrt(2 r depth)          (2)
///   dm/dt = (v - |v| m)/K                                     (3)
///   F = -F_max m - d_s v, no longer than F_max                (4)
template <class T>
LumpedForces<T> calc_lumped_forces(const LumpedSoil& soil, const LumpedMotion<T>& motion,
                                   const T& mx, const T& my) {
  using math::select;
  using std::sqrt;
  LumpedForces<T> f;
  // The damper comes in with the depth: no jump where a wheel lands.
  const T in = select(motion.depth < T(0.01), motion.depth * 100.0, T(1));
  const T N = soil.stiffness * motion.depth + soil.damping * in * motion.depth_rate;
  const auto touches = motion.depth > T(0) && N > T(0);
  f.Fz = select(touches, N, T(0));  // (1)
  const T depth = select(motion.depth > T(1e-12), motion.depth, T(1e-12));
  const T limit = select(
      touches, soil.cohesion * soil.width * sqrt(2 * soil.radius * depth) + f.Fz * soil.tan_phi,
      T(0));  // (2)
  const T speed = sqrt(motion.vx * motion.vx + motion.vy * motion.vy + T(1e-24));
  // Off the ground the bristle straightens. (3)
  f.bristle_rate_x =
      select(touches, (motion.vx - speed * mx) * (1 / soil.shear_modulus), -20.0 * mx);
  f.bristle_rate_y =
      select(touches, (motion.vy - speed * my) * (1 / soil.shear_modulus), -20.0 * my);
  // The damper fades as the wheel slides, as in soil_grid.h. (4)
  const T fade = T(1) / (T(1) + speed * speed * 2500.0);
  const T sx = limit * mx + soil.shear_damping * fade * fade * motion.vx;
  const T sy = limit * my + soil.shear_damping * fade * fade * motion.vy;
  const T size = sqrt(sx * sx + sy * sy + T(1e-24));
  const T cut = select(size > limit, limit / size, T(1));
  f.Fx = -(sx * cut);
  f.Fy = -(sy * cut);
  return f;
}

}  // namespace camber::terrain
