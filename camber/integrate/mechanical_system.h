#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "camber/integrate/coordinates.h"
#include "camber/integrate/ode.h"

namespace camber::integrate {

/// q' = N(q) v, v' = a(t, q, v): positions on their manifold, speeds, and first-order states as
/// speeds of no block. As in an Ode, functions answer false where they have no value; they are
/// copied, so what two of them share is behind a pointer.
struct MechanicalSystem {
  int nq = 0, nv = 0;
  std::vector<CoordinateBlock> blocks = {};
  /// Quaternions in q have length 1.
  std::function<bool(double t, std::span<const double> q, std::span<const double> v,
                     std::span<double> v_dot)>
      accelerations;
  /// dv'/d[q; v] column by column, nv * (nq + nv) entries. What it says about a change of a
  /// quaternion's length does not matter.
  std::function<bool(double t, std::span<const double> q, std::span<const double> v,
                     std::span<double> J)>
      jacobian = {};
  /// Puts q and v back on the constraints. Quaternions are normalized without it.
  std::function<bool(double t, std::span<double> q, std::span<double> v)> project = {};
  /// In words, why a function above answered false last.
  std::function<std::string()> why = {};
  /// For messages: nq + nv, or none.
  std::vector<std::string> names = {};
};

/// Throws std::invalid_argument where a part is missing or has the wrong size.
void check(const MechanicalSystem& system, const char* caller);

/// "q[3]", "v[0]" or its name; components of [q; v].
std::string component_name(const MechanicalSystem& system, int component);

/// How the quaternions of make_ode() stay unit.
enum class QuaternionNorm {
  kProjected,   // by a projection behind each step
  kStabilized,  // by a term in q', docs/theory/simulation.md (13), for Adams methods
};

/// x = [q; v] for the adaptive methods, quaternions as plain 4-vectors. The accelerations see them
/// normalized, so their length matters for nothing but itself. Throws std::invalid_argument for
/// kStabilized where the system has a projection of its own, which Adams methods cannot use.
Ode make_ode(MechanicalSystem system, QuaternionNorm norm = QuaternionNorm::kProjected);

/// x' = f(t, x) as speeds without positions, for the fixed-step methods: nq = 0, v = x.
MechanicalSystem make_first_order_system(Ode ode);

}  // namespace camber::integrate
