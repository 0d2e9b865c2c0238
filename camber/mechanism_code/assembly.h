#pragma once

#include <array>
#include <vector>

#include "camber/mechanism_code/moments.h"

namespace camber::mechanism_code {

/// A group's equations, with symbols as values.
template <class T>
struct Contribution {
  const Group* group = nullptr;
  GroupEquations<T> equations;
};

struct VehicleState {
  std::vector<Expr> q, v;
  std::vector<Expr> given;  // accelerations of the coordinates whose motion is given
};

struct EpilogueEquations {
  std::vector<Expr> accelerations;  // of v
  std::vector<Expr> pivots;         // must be positive
};

/// The constants of gravity and of the base, in the order in which the assembly reads them.
template <class T>
struct BaseConstants {
  Vec<T> gravity;  // in the axes of the base's joint on the world [m/s^2]
  T mass;
  Vec<T> first;             // moments about the base's origin
  std::array<T, 6> second;  // xx yy zz xy xz yz
};
template <class T>
BaseConstants<T> name_base_constants(const Sketch& sketch, Parameters<T>* parameters);

/// Adds up the contributions of the groups, eliminates their coordinates, then the shared ones,
/// then the base's, and substitutes back. docs/theory/generated.md (5).
EpilogueEquations assemble_and_solve(const Sketch& sketch,
                                     const std::vector<Contribution<Expr>>& contributions,
                                     const VehicleState& state, Parameters<Expr>* parameters);

}  // namespace camber::mechanism_code
