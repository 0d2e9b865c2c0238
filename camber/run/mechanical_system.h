#pragma once

#include <string>
#include <vector>

#include "camber/integrate/mechanical_system.h"
#include "camber/multibody/dynamics.h"

namespace camber::run {

/// A mechanism for the integrators. Keeps a pointer to `dynamics`. A projection that would remove
/// more than 1 % of the kinetic energy fails: the step has not followed the motion.
integrate::MechanicalSystem make_mechanical_system(multibody::MechanismDynamics* dynamics);

/// Names of the formulation's own coordinates and speeds with their units.
struct CoordinateNames {
  std::vector<std::string> q, v;
  std::vector<std::string> q_units, v_units, v_dot_units;
};
CoordinateNames name_coordinates(const multibody::MechanismDynamics& dynamics);

/// Whether only springs and gravity do work on it: the sum of its energies is constant.
bool is_conservative(const multibody::MechanismDynamics& dynamics);

}  // namespace camber::run
