#pragma once

#include <string>
#include <vector>

#include "camber/lagrange/equations.h"
#include "camber/lagrange/independent_coordinates.h"

namespace camber::lagrange {

/// A coordinate's rate in terms of velocities of the analyst's choice, such as the components in a
/// frame that moves with the vehicle: x' = cos(psi)*x1dot - sin(psi)*y1dot (001 section 4.2).
struct RateInMovingFrame {
  Expr rate;        // x', the rate of a coordinate
  Expr expression;  // in coordinates and new variables, whose motion is given like all others
};

/// The analyst's choices for a linearization.
struct LinearizationSpec {
  /// The motion to linearize about: variables (coordinates, quasi-velocities, extra variables,
  /// inputs) -> functions of the system's time; x -> V*t gives x' -> V. Variables that are not
  /// named are at rest at zero. Multipliers that are not named follow from equilibrium.
  Substitution motion = {};
  /// Independent coordinates; if empty, they are found.
  std::vector<Expr> independent = {};
  /// The new variables take the places of the coordinates whose rates they replace.
  std::vector<RateInMovingFrame> moving_frame = {};
  /// Parameters to be replaced in the result by their expressions in other parameters: 001's
  /// global_properties.
  Substitution relations = {};
};

/// A system's equations to first order about a motion, in independent coordinates, without
/// multipliers.
struct LinearModel {
  std::string name;
  std::vector<Expr> variables;              // perturbations, as many as equations
  std::vector<Expr> equations;              // = 0, linear in the variables, derivatives and inputs
  std::vector<std::string> equation_names;  // the coordinate or variable each belongs to
  std::vector<Expr> inputs;
  std::vector<Output> outputs;  // linear too

  // Intermediate results, for readers.
  Substitution motion;               // with all multipliers
  std::vector<Expr> dynamics;        // linearized, with multipliers and all coordinates
  std::vector<Expr> constraints;     // linearized
  IndependentCoordinates reduction;  // empty without constraints
  std::vector<std::string> notes;    // what was dropped and why that is right
  /// The model holds for values of its parameters at which these vanish: what the motion leaves of
  /// equations that are not proven to hold for all values, and the spec's relations.
  struct Condition {
    Expr zero;
    std::string text;         // of the equation or relation, for messages
    double tolerance = 1e-9;  // of the largest term
  };
  std::vector<Condition> conditions = {};
};

/// Throws std::invalid_argument that names the first condition of the model which these values
/// break.
void check_conditions(const LinearModel& model, const Substitution& values);

/// A motion that is a solution at the values of the system's parameters is accepted, with a note and
/// a condition. Throws std::invalid_argument that names the equation that does not hold along the
/// motion, the
/// coefficient that varies in time, or the constraint that relates "independent" coordinates.
LinearModel make_linear_model(const System& system, const LinearizationSpec& spec,
                              const DerivationOptions& options = {});
/// Makes the model from equations that are already derived.
LinearModel make_linear_model(const System& system, const Equations& equations,
                              const LinearizationSpec& spec);

}  // namespace camber::lagrange
