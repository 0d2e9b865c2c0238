#pragma once

#include <optional>
#include <span>
#include <vector>

#include "camber/codegen/program.h"
#include "camber/lagrange/acceleration_equations.h"
#include "camber/lagrange/implicit_accelerations.h"
#include "camber/symbolic/ldlt.h"

namespace camber::lagrange {

/// Weights w_i >= 0, one per constraint, with which M + sum w_i B_i^T B_i is positive definite
/// though M alone may not be: massless bodies that constraints guide. Found from M and B at a few
/// states, of which the first is x = 0; no result when the equations lack the symmetric form of 003
/// eq. 37. Throws std::invalid_argument that names what is singular in every one of these states.
std::optional<std::vector<double>> find_augmentation(const AccelerationEquations& equations,
                                                     std::span<const double> parameter_values,
                                                     ImplicitAccelerations* implicit);

/// 003 eq. 37, [M B^T; B 0] [u'; mu] = [F; gamma], its factors and its solution.
struct ForwardDynamics {
  symbolic::MatrixX M, B;  // M with the rows that find_augmentation() weights
  symbolic::VectorX F, gamma;
  symbolic::Ldlt ldlt;
  std::vector<Expr> unknowns;  // y, in the order of AccelerationEquations::unknowns()
  codegen::Program program;    // of make_forward_dynamics()
};

/// x' and y from t, x, inputs and parameters as straight-line code: the sparse elimination of 003
/// eq. 37 with a guard for every pivot. No result for equations that cannot be solved one after the
/// other: extra equations that are nonlinear in their unknowns or contain accelerations.
std::optional<ForwardDynamics> make_forward_dynamics(const AccelerationEquations& equations,
                                                     std::span<const double> weights);

}  // namespace camber::lagrange
