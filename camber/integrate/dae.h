#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "camber/integrate/ode.h"

namespace camber::integrate {

/// The role of a component of y in the error control, docs/theory/simulation.md section 6.
enum class ComponentKind : char {
  /// Its derivative appears in F: held to its tolerance by the error test.
  kDifferential,
  /// Algebraic of index 1, determined by the others at each instant: held to its tolerance by
  /// Newton's iteration.
  kAlgebraic,
  /// Algebraic of index 2, such as a constraint force of a constraint on velocities. Its rounding
  /// errors are 1/h times those of the others in a step of length h, so it has no tolerance of its
  /// own.
  kMultiplier,
};

/// F(t, y, y') = 0 of index 1, or of index 2 in Hessenberg form: mechanisms with their constraint
/// forces, docs/theory/simulation.md section 6. As in an Ode, functions return false if they have
/// no value.
struct Dae {
  int size = 0;
  std::function<bool(double t, std::span<const double> y, std::span<const double> y_dot,
                     std::span<double> residual)>
      F;
  /// dF/dy + c dF/dy' column by column, size * size entries. If it is missing, difference quotients
  /// are used.
  std::function<bool(double t, std::span<const double> y, std::span<const double> y_dot, double c,
                     std::span<double> J)>
      jacobian = {};
  /// One per component; empty: all are differential.
  std::vector<ComponentKind> kinds = {};
  /// The reason, in words, why a function above last returned false.
  std::function<std::string()> why = {};
  /// Functions of t and y.
  std::vector<Event> events = {};
  /// For messages: one per component, or none.
  std::vector<std::string> names = {};
};

/// Throws std::invalid_argument if a part is missing or has the wrong size.
void check(const Dae& dae, const char* caller);

}  // namespace camber::integrate
