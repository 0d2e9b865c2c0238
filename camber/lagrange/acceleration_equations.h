#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "camber/codegen/program.h"
#include "camber/lagrange/equations.h"

namespace camber::lagrange {

/// Acceleration-level constraints alone let errors grow with time; this makes them decay as
/// exp(-rate t): c'' + 2 rate c' + rate^2 c = 0 for a holonomic constraint, c' + rate c = 0 for a
/// nonholonomic one. 0: not used, for states that are projected instead.
struct Baumgarte {
  double rate = 0;  // [1/s]
};

/// A model as a state x and unknowns y that follow from it, r(t, x, y) = 0, with index 1 for all
/// kinds of constraints: these appear differentiated; the conditions that they impose on x are
/// listed separately.
struct AccelerationEquations {
  std::string name;
  Expr time;
  std::vector<Expr> inputs;
  std::vector<Expr> parameters;

  // x, in this order
  std::vector<Expr> coordinates;        // q
  std::vector<Expr> speeds;             // u
  std::vector<Expr> extra_states;       // z: extra variables with a differential equation
  std::vector<Expr> multiplier_states;  // of nonholonomic constraints in the vakonomic form

  // y, in this order
  std::vector<Expr> accelerations;  // u'
  std::vector<Expr> multipliers;    // lambda, or lambda' where lambda is part of the state
  std::vector<Expr> extra_rates;    // z'
  std::vector<Expr> algebraic;      // extra variables without a differential equation

  // r, in this order
  std::vector<Expr> dynamics;                  // 0 = M u' + ..., one per speed
  std::vector<Expr> acceleration_constraints;  // 0 = B u' + ..., one per constraint
  std::vector<Expr> extra;                     // one per extra variable

  std::vector<Expr> rates;  // q' from x
  std::vector<std::string> constraint_names;
  std::vector<Expr> position_constraints;  // the holonomic ones: f(q, t)
  std::vector<int> position_owners;        // which constraint each of these is
  std::vector<Expr> velocity_constraints;  // all: linear in u

  std::vector<Expr> state() const;
  std::vector<Expr> unknowns() const;
  std::vector<Expr> residuals() const;
};

/// Throws std::invalid_argument for a constraint that depends on an input or an extra variable,
/// whose derivatives are unknown.
AccelerationEquations make_acceleration_equations(const System& system, const Equations& equations,
                                                  const Baumgarte& baumgarte = {});

/// A program with the inputs that all programs of a model start with: t, x, inputs, parameters.
codegen::ProgramBuilder start_program(const AccelerationEquations& equations,
                                      std::string_view name);

/// "a", "a and b", "a, b and c".
std::string list_names(const std::vector<std::string>& names);
/// The name of a leaf in messages: "x" for a variable, "x'" for its derivative.
std::string text_of(const Expr& leaf);

}  // namespace camber::lagrange
