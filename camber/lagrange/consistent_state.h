#pragma once

#include <span>
#include <vector>

#include "camber/lagrange/simulation_model.h"

namespace camber::lagrange {

/// An initial value given by the analyst.
struct InitialValue {
  Expr variable;  // a coordinate, a speed, an extra variable
  double value = 0;
  bool fixed = false;  // must be met exactly
};

/// The state at time t that meets all constraints, first for positions, then for speeds. Variables
/// without a given value start from 0 and are adjusted first: as few as possible, those with little
/// inertia. Given ones are adjusted, as little as possible, only if the others alone cannot meet
/// the constraints; fixed ones never. Throws std::invalid_argument that names the constraints which
/// cannot be met and the fixed variables in them, a variable that the model does not have or that
/// is given twice, and what is singular in the state found (redundant constraints, coordinates
/// without inertia).
std::vector<double> find_consistent_state(SimulationModel* model, double t,
                                          std::span<const InitialValue> given);

}  // namespace camber::lagrange
