#pragma once

#include <vector>

#include "camber/lagrange/derivation_text.h"
#include "camber/lagrange/state_space.h"

namespace camber::lagrange {

/// When the motion of a small linear system is stable, in its parameters (docs/theory/lagrange.md,
/// section "Stability conditions").
struct StabilityConditions {
  /// det(A s - B) = s^zero_roots (p[0] + p[1] s + ... + p[n] s^n), p[0] and p[n] not zero.
  std::vector<Expr> polynomial;
  int zero_roots = 0;
  /// Only even powers: no damping anywhere, s^2 are real where the motion is stable. The conditions
  /// are then those of simple imaginary roots, neutral stability.
  bool is_even = false;
  struct Condition {
    std::string name;  // "p1", "Delta3": a coefficient or a Hurwitz determinant
    Expr value;        // > 0
  };
  /// All > 0: every root but those at zero has a negative real part, or is imaginary and simple if
  /// is_even. Routh-Hurwitz in the form of Lienard and Chipart, with p[n] > 0.
  std::vector<Condition> conditions;
};

inline constexpr int kMaxStabilityStates = 8;

/// Throws std::invalid_argument for more than kMaxStabilityStates states, and if the determinant is
/// zero for all s. `values` of the parameters decide the sign of the polynomial.
StabilityConditions find_stability_conditions(const StateSpace& space, const Substitution& values);

/// Values of a parameter at which a condition vanishes, where that can be solved for: conditions
/// whose numerator is linear in the parameter, or in its square.
struct SymbolicLimit {
  std::string condition;
  Expr value;  // the parameter's value; the positive one of two with the same square
};
std::vector<SymbolicLimit> solve_limits(const StabilityConditions& conditions,
                                        const Expr& parameter);

/// Characteristic polynomial, conditions and, if `parameter` is not empty, its limits.
Derivation describe_stability(const LagrangianModel& model, const Equations& equations,
                              const std::string& parameter = "");

}  // namespace camber::lagrange
