#pragma once

#include <string>
#include <vector>

#include "camber/lagrange/linear_model.h"

namespace camber::lagrange {

/// A x' = B x + C u, y = D x + E u (001 eq. 17). A is not inverted, and may be singular: algebraic
/// equations are rows of zeros in it.
struct StateSpace {
  std::vector<Expr> states;               // x
  std::vector<Expr> inputs;               // u
  std::vector<std::string> output_names;  // y
  MatrixX A, B, C, D, E;
};

/// The states are those of first_order(); an output that is not linear in states and inputs alone
/// but has rates of states (an acceleration) becomes a state with an equation of its own. Without
/// outputs in the model y is empty: D and E have no rows. Throws std::invalid_argument where the
/// equations need derivatives of an input.
StateSpace make_state_space(const LinearModel& model);

}  // namespace camber::lagrange
