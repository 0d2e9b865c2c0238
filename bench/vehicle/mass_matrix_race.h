#pragma once

#include <vector>

#include "bench/vehicle/ten_body_table.h"
#include "camber/lagrange/acceleration_equations.h"

namespace camber::bench {

/// M u' = f of equations without constraints at given states (t, x, inputs, parameters), solved by
/// the generated sparse L D L^T and by Eigen's dense and sparse factorizations: adds the groups
/// "operations" and "solution".
void race_mass_matrices(const lagrange::AccelerationEquations& equations,
                        const std::vector<std::vector<double>>& states, const RaceOptions& options,
                        TenBodyTable* table);

}  // namespace camber::bench
