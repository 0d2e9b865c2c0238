#pragma once

#include <vector>

#include "camber/lagrange/system.h"
#include "camber/symbolic/derivative.h"

namespace camber::lagrange {

/// The equations of motion of a system: all of them are to be zero (001 eq. 11).
struct Equations {
  std::vector<Expr> coordinates;           // q
  std::vector<Expr> speeds;                // u
  std::vector<Expr> multipliers;           // one variable per constraint
  symbolic::Substitution rates;            // q' where it is not a speed itself
  std::vector<Expr> dynamics;              // one per speed, linear in u' and in the multipliers
  std::vector<Expr> constraints;           // as given
  std::vector<Expr> velocity_constraints;  // linear in u: derivative of a holonomic one, a
                                           // nonholonomic one as given
  std::vector<ExtraVariable> extra;
};

struct DerivationOptions {
  enum class Method {
    /// Virtual power with momenta as quantities of their own: 003 eq. 38-46, where d(v,q')/dt = v,q
    /// has cancelled what
    /// Lagrange's two terms have in common. The shortest equations; the default.
    kMomentum,
    /// d/dt dL/dq' - dL/dq as 001 eq. 10 has it, with constraint forces lambda df/dq'.
    kLagrangian,
    /// 001 eq. 9-10 to the letter: lambda f inside L. For nonholonomic constraints this is another,
    /// wrong mechanics
    /// (docs/theory/lagrange.md); only for reproducing the paper.
    kVakonomic,
  };
  Method method = Method::kMomentum;
};

Equations derive(const System& system, const DerivationOptions& options = {});

// The pieces, for a reader of the equations.

/// 1/2 m v.v + 1/2 w.I w of one body, in the shortest axes.
Expr kinetic_energy(const Body& body);
/// - m g.p of one body.
Expr gravity_energy(const Body& body, const Vector3& gravity);
/// dot(force, virtual velocity) by the speed u, 001 section 3.2.
Expr generalized_force(const Force& force, const Expr& speed);
Expr generalized_force(const Torque& torque, const Expr& speed);
/// d/dt dL/dq' - dL/dq.
Expr lagrange(const Expr& L, const Expr& q);

/// 003 eq. 20-21: V = T u with V = [w; v] of every body in turn (v of its center of mass, both in
/// the body's axes). Only entries that can be nonzero are computed (003's lists of dependencies).
std::vector<symbolic::Entry> velocity_transformation(const System& system);

/// de/dt along the motion: q -> q' (or the rate in terms of speeds), u -> u', t -> 1.
Expr time_derivative(const Expr& e, const System& system);

}  // namespace camber::lagrange
