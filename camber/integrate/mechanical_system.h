#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "camber/integrate/coordinates.h"
#include "camber/integrate/ode.h"

namespace camber::integrate {

/// q' = N(q) v, v' = a(t, q, v): positions on their manifold, speeds, and first-order states as
/// speeds outside all blocks. As in an Ode, functions return false if they have no value; they are
/// copied, so shared data must be held by pointer.
struct MechanicalSystem {
  int nq = 0, nv = 0;
  std::vector<CoordinateBlock> blocks = {};
  /// Quaternions in q have length 1.
  std::function<bool(double t, std::span<const double> q, std::span<const double> v,
                     std::span<double> v_dot)>
      accelerations;
  /// dv'/d[q; v] column by column, nv * (nq + nv) entries. Its derivative with respect to a
  /// quaternion's length is ignored.
  std::function<bool(double t, std::span<const double> q, std::span<const double> v,
                     std::span<double> J)>
      jacobian = {};
  /// Projects q and v back onto the constraints. It need not normalize quaternions.
  std::function<bool(double t, std::span<double> q, std::span<double> v)> project = {};
  /// The reason, in words, why a function above last returned false.
  std::function<std::string()> why = {};
  /// For messages: nq + nv, or none.
  std::vector<std::string> names = {};
};

/// Throws std::invalid_argument if a part is missing or has the wrong size.
void check(const MechanicalSystem& system, const char* caller);

/// "q[3]", "v[0]" or its name; components of [q; v].
std::string component_name(const MechanicalSystem& system, int component);

/// How make_ode() keeps quaternions at unit length.
enum class QuaternionNorm {
  kProjected,   // by a projection after each step
  kStabilized,  // by a term in q', docs/theory/simulation.md (13), for Adams methods
};

/// x = [q; v] for the adaptive methods, quaternions as plain 4-vectors. The accelerations are
/// evaluated with normalized quaternions, so their length has no effect on the motion. Throws
/// std::invalid_argument for kStabilized if the system has a projection of its own, which Adams
/// methods cannot use.
Ode make_ode(MechanicalSystem system, QuaternionNorm norm = QuaternionNorm::kProjected);

/// x' = f(t, x) as speeds without positions, for the fixed-step methods: nq = 0, v = x.
MechanicalSystem make_first_order_system(Ode ode);

}  // namespace camber::integrate
