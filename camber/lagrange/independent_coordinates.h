#pragma once

#include <span>
#include <string>
#include <vector>

#include "camber/symbolic/matrix.h"
#include "camber/symbolic/substitute.h"

namespace camber::lagrange {

using symbolic::Expr;
using symbolic::MatrixX;
using symbolic::Substitution;

/// Linear constraints solved for the coordinates that depend on the others (001 section 4.2).
struct IndependentCoordinates {
  std::vector<Expr> independent;  // z
  Substitution positions;         // dependent q -> in terms of z
  /// q' of the coordinates that are dependent in their rates only -> in terms of z' and of
  /// coordinates. They result from constraints that cannot be integrated, such as y' = V psi.
  Substitution rates;
  MatrixX R;  // velocity projection, 001 eq. 15: q' = R z' + terms without rates
  std::vector<std::string> notes;
};

/// `constraints` = 0 are linear in the coordinates and their first derivatives; one that has only
/// derivatives is integrated, its constant being dropped, which is correct for perturbations and is
/// reported in the notes. `independent` is the analyst's choice; if empty, coordinates are made
/// dependent from the last to the first. Throws std::invalid_argument when the choice is wrong: too
/// many coordinates, with the constraints that relate them, or too few, with the constraints that
/// remain unsolved.
IndependentCoordinates find_independent_coordinates(std::span<const Expr> constraints,
                                                    std::span<const std::string> names,
                                                    std::span<const Expr> coordinates,
                                                    std::span<const Expr> independent = {});

/// The expressions without dependent coordinates, their derivatives of any order included.
std::vector<Expr> eliminate_dependent(std::span<const Expr> expressions,
                                      const IndependentCoordinates& coordinates);

}  // namespace camber::lagrange
