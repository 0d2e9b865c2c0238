#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "camber/integrate/ode.h"

namespace camber::integrate {

/// What a component of y is to the error control, docs/theory/simulation.md section 6.
enum class ComponentKind : char {
  /// Its derivative appears in F: held to its tolerance by the error test.
  kDifferential,
  /// Of index 1, it follows from the others at each instant: held to its tolerance by Newton's
  /// iteration.
  kAlgebraic,
  /// Of index 2, such as a constraint force, where constraints are on velocities. A step of length
  /// h makes rounding errors in it 1/h times as large as in the others: it follows them without
  /// a tolerance of its own.
  kMultiplier,
};

/// F(t, y, y') = 0 of index 1, or of index 2 in Hessenberg form: mechanisms with their
/// constraint forces, docs/theory/simulation.md section 6. As in an Ode, functions answer false
/// where they have no value.
struct Dae {
  int size = 0;
  std::function<bool(double t, std::span<const double> y, std::span<const double> y_dot,
                     std::span<double> residual)>
      F;
  /// dF/dy + c dF/dy' column by column, size * size entries. Without it difference quotients stand
  /// in.
  std::function<bool(double t, std::span<const double> y, std::span<const double> y_dot, double c,
                     std::span<double> J)>
      jacobian = {};
  /// One per component; empty: all are differential.
  std::vector<ComponentKind> kinds = {};
  /// In words, why a function above answered false last.
  std::function<std::string()> why = {};
  /// Functions of t and y.
  std::vector<Event> events = {};
  /// For messages: one per component, or none.
  std::vector<std::string> names = {};
};

/// Throws std::invalid_argument where a part is missing or has the wrong size.
void check(const Dae& dae, const char* caller);

}  // namespace camber::integrate
