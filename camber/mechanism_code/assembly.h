#pragma once

#include <vector>

#include "camber/mechanism_code/moments.h"

namespace camber::mechanism_code {

/// A group's equations, with symbols as values.
struct Contribution {
  const Group* group = nullptr;
  GroupEquations equations;
};

struct VehicleState {
  std::vector<Expr> q, v;
  std::vector<Expr> given;  // accelerations of the coordinates whose motion is given
  Vector3 gravity;          // in the axes of the base's joint on the world
};

struct EpilogueEquations {
  std::vector<Expr> accelerations;  // of v
  std::vector<Expr> pivots;         // must be positive
};

/// Adds up the contributions of the groups, eliminates their coordinates, then the shared ones,
/// then the base's, and substitutes back. docs/theory/generated.md (5).
EpilogueEquations assemble_and_solve(const Sketch& sketch,
                                     const std::vector<Contribution>& contributions,
                                     const VehicleState& state, Parameters* parameters);

}  // namespace camber::mechanism_code
