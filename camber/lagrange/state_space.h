#pragma once

#include <string>
#include <vector>

#include "camber/lagrange/linear_model.h"

namespace camber::lagrange {

/// E x' = A x + B u, y = C x + D u; 001 eq. 17 calls these matrices A to E. E is not inverted, and
/// may be singular: algebraic equations are rows of zeros in it.
struct StateSpace {
  std::vector<Expr> states;               // x
  std::vector<Expr> inputs;               // u
  std::vector<std::string> output_names;  // y
  MatrixX E, A, B, C, D;
};

/// The states are those of first_order(); an output that is not linear in states and inputs alone
/// but has rates of states (an acceleration) becomes a state with an equation of its own. Without
/// outputs in the model y is empty: C and D have no rows. Throws std::invalid_argument where the
/// equations need derivatives of an input.
StateSpace make_state_space(const LinearModel& model);

}  // namespace camber::lagrange
