#pragma once

// The soil of ROAMS: the tire is rigid and its spring, damper and the soil's are lumped into one
// under the wheel ([ROAMS] Cameron et al., NDIA GVSETS 2013; docs/theory/soil.md, section 5).

#include <cmath>

#include "camber/math/scalar.h"
#include "camber/math/vec3.h"
#include "camber/terrain/rigid_wheel.h"
#include "camber/terrain/soil.h"

namespace camber::terrain {

/// The tire's properties.
struct LumpedTire {
  double stiffness = 3e5;  // k_tire, about its static load [N/m]
  double damping = 4e3;    // d [N s/m]
  double friction = 1e3;   // peak on hard ground; unlimited on soil if rigid [N]
  /// Inverse of the slip stiffness (0 if rigid), and relaxation length.
  double compliance_along = 0, compliance_across = 0;  // [1/N]
  double relaxation_along = 0, relaxation_across = 0;  // [m]
  double rolling_resistance = 0.015;                   // over the load
};

struct LumpedSoil {
  double stiffness = 3e5;  // k [N/m]
  double damping = 4e3;    // d [N s/m]
  double cohesion = 0.0;   // c [Pa]
  double tan_phi = 0.6;
  double shear_modulus = 0.02;           // K of the bristle [m]
  double shear_damping = 2e3;            // beside the bristle [N s/m]
  double radius = 0.47, width = 0.3175;  // of the wheel [m]
  /// Rolling resistance over load: losses of the tire, the surface and the compacted soil, which a
  /// spring would return behind the wheel.
  double rolling_resistance = 0.015;
  LumpedTire tire = {};
};

/// Rolling resistance of firm soil over load, without that of sinkage; together with a tire's
/// 0.015, 0.03 to 0.06 are usual.
inline constexpr double kSurfaceResistance = 0.025;

/// Tire and soil in series: 1/k = 1/k_tire + 1/k_soil, the second as dW/dz of the rigid wheel
/// (rigid_wheel.h) under its static load; the resistance is Bekker's for a towed wheel there, round
/// or flattened, with kSurfaceResistance and the tire's own. On rigid ground only the tire remains.
/// Throws std::invalid_argument if that wheel bottoms.
LumpedSoil make_lumped_soil(const Soil& soil, const RigidWheel& wheel, const LumpedTire& tire,
                            double load);

/// How the deepest point of the wheel moves against the ground, in the contact frame: x forward, y
/// left, z along the normal.
template <class T>
struct LumpedMotion {
  T depth{0}, depth_rate{0};  // penetration, positive down [m], [m/s]
  T vx{0}, vy{0};             // sliding velocity of the rim against the ground [m/s]
  T rim_speed{0};             // circumferential speed of the wheel [m/s]
  T friction{1};              // of the ground, a factor on the tire's
};

template <class T>
struct LumpedForces {
  T Fx{0}, Fy{0}, Fz{0};                   // of the ground on the wheel [N]
  T bristle_rate_x{0}, bristle_rate_y{0};  // d/dt of the two states below [1/s]
};

inline constexpr double kLeastLength = 0.05;  // of a contact: a new one has no length [m]
inline constexpr double kLeastTime =
    1.5e-3;  // time constant of a sliding bristle: need not be shorter [s]

/// Forces and rates for a bristle (mx, my), the mobilized part of the strength, |m| <= 1:
///   Fz = k depth + d depth_rate, the damper no more than the spring  (1)
///   F_max = c A + Fz tan phi,  A = b sqrt(2 r depth), and no more than the tire's friction   (2)
///   dm/dt = (v - |v| m - |v_rim| (2 K/l + F_max/C) m)/(K + F_max sigma/C)                    (3)
/// with l the contact's length, C and sigma the tire's slip stiffness and relaxation length: bent
/// bristles leave the contact at its rear, so the deflection of a rolling wheel is proportional to
/// its slip (docs/theory/soil.md (5b)).
///   F = -F_max m - d_s v, no longer than F_max                (4)
template <class T>
LumpedForces<T> calc_lumped_forces(const LumpedSoil& soil, const LumpedMotion<T>& motion,
                                   const T& mx, const T& my) {
  using math::select;
  using std::sqrt;
  LumpedForces<T> f;
  // The force does not jump when a wheel lands, and does not pull when it lifts off.
  const T spring = soil.stiffness * motion.depth, damper = soil.damping * motion.depth_rate;
  const T bounded = select(damper > spring, spring, select(damper < -spring, -spring, damper));
  const T N = spring + bounded;
  // Progress of a landing: 0 at touchdown, 1 when the damper is no longer limited.
  const T most = select(damper > spring, damper, select(damper < -spring, -damper, spring));
  const T down = select(motion.depth > T(0), spring / select(most > T(0), most, T(1)), T(0));
  const auto touches = motion.depth > T(0) && N > T(0);
  f.Fz = select(touches, N, T(0));  // (1)
  const T depth = select(motion.depth > T(1e-12), motion.depth, T(1e-12));
  const T front = sqrt(2 * soil.radius * depth);
  const T strength = soil.cohesion * soil.width * front + f.Fz * soil.tan_phi;
  const T grip = motion.friction * soil.tire.friction * f.Fz;
  const T limit = select(touches, select(strength < grip, strength, grip), T(0));  // (2)
  const T speed = sqrt(motion.vx * motion.vx + motion.vy * motion.vy + T(1e-24));
  // The rut behind the wheel is as deep as the soil's part of the depth; the tire's part recovers.
  const T pressed = f.Fz * (1 / soil.tire.stiffness);
  const T back = sqrt(2 * soil.radius * select(pressed < depth, pressed, depth));
  const T length = select(front + back > T(kLeastLength), front + back, T(kLeastLength));
  const T rim = sqrt(motion.rim_speed * motion.rim_speed + T(1e-24));
  const auto rate = [&](const T& v, const T& m, double compliance, double relaxation) {
    const T bend = limit * compliance;
    const T way = soil.shear_modulus + bend * relaxation;
    const T slowest = kLeastTime * speed;
    const T loss = speed + rim * (2 * soil.shear_modulus / length + bend);
    // Off the ground the bristle relaxes; it follows the slip again as the wheel touches down. (3)
    return down * (v - loss * m) / select(way > slowest, way, slowest) - (1.0 - down) * 20.0 * m;
  };
  const LumpedTire& tire = soil.tire;
  f.bristle_rate_x = rate(motion.vx, mx, tire.compliance_along, tire.relaxation_along);
  f.bristle_rate_y = rate(motion.vy, my, tire.compliance_across, tire.relaxation_across);
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
