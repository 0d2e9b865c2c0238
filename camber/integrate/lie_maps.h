#pragma once

#include <span>

namespace camber::integrate::internal {

// Exponential map, logarithm and their kin on the unit quaternions and on SE(3), on plain numbers.
// docs/theory/simulation.md section 6. A quaternion is [w x y z] and turns B into W; increments
// are in the axes of B, so they multiply from the right.

using Quaternion = std::span<double, 4>;
using ConstQuaternion = std::span<const double, 4>;
using Triple = std::span<double, 3>;
using ConstTriple = std::span<const double, 3>;

/// c = a x b; c must not overlap a or b.
void cross(ConstTriple a, ConstTriple b, Triple c);
/// R(q) a, for a quaternion of any length but zero: R belongs to q / |q|.
void rotate(ConstQuaternion q, ConstTriple a, Triple R_a);
/// R(q)^T a.
void rotate_back(ConstQuaternion q, ConstTriple a, Triple R_T_a);
/// q <- q / |q|.
void normalize(Quaternion q);

/// q exp(phi / 2), normalized: q turned by the rotation vector phi.
void turn(ConstQuaternion q, ConstTriple phi, Quaternion out);
/// The shortest phi with turn(q0, phi) = q1 up to the sign of q1; |phi| <= pi.
void find_turn(ConstQuaternion q0, ConstQuaternion q1, Triple phi);

/// Translation part of exp of (phi, rho) in SE(3): V(phi) rho.
void apply_V(ConstTriple phi, ConstTriple rho, Triple out);
/// V(phi)^-1 p, for |phi| < 2 pi.
void apply_V_inverse(ConstTriple phi, ConstTriple p, Triple out);

}  // namespace camber::integrate::internal
