#pragma once

#include "camber/codegen/program.h"
#include "camber/lagrange/equations.h"

namespace camber::lagrange {

/// The left sides of all equations as straight-line code, in the form that solvers of implicit
/// equations take:
///   NAME(t, q, u, udot, lambda, z, zdot, input, parameters..., dynamics, constraints, extra)
/// with coordinates q, speeds u, multipliers lambda and extra variables z as arrays in the order of
/// the model; arrays that would be empty are left out, parameters that occur come one by one.
codegen::Program make_residual_program(const System& system, const Equations& equations);

}  // namespace camber::lagrange
