#pragma once

#include <string>

#include "camber/lagrange/derivation_text.h"

namespace camber::lagrange {

// Parts of a derivation, to check it piece by piece. All throw std::invalid_argument that lists the
// valid names.

/// The kinetic energy of one body (001's KINETIC_ENERGY), its share of gravity's potential, and
/// their program.
Derivation describe_energy(const LagrangianModel& model, const std::string& body);

/// What each load does along one coordinate or speed (001's GENERALIZED_FORCE), and their sum.
/// Forces of inertia and of constraints are not loads.
Derivation describe_force(const LagrangianModel& model, const std::string& coordinate);

/// Accelerations and multipliers of 003 eq. 37, [M B^T; B 0] [u'; mu] = [F; gamma]: the matrices,
/// the factors L and D in the order of elimination, and the program that solves them.
Derivation describe_accelerations(const LagrangianModel& model, const Equations& equations);

}  // namespace camber::lagrange
