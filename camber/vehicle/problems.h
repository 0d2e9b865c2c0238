#pragma once

#include <string>
#include <vector>

#include "camber/vehicle/vehicle.h"

namespace camber::vehicle {

/// Something about a vehicle's figures that no mechanism can be made of.
struct VehicleProblem {
  std::string place;  // as in the file: "axles.front.points.upper_ball"
  std::string text;   // "is on the arm's hinge axis"
};

/// All of them; an empty list means that expand() works. Whether the loops can be assembled is not
/// among them: they are closed in the design position, by construction.
std::vector<VehicleProblem> find_problems(const Vehicle& vehicle);

/// Figures that a mechanism can be made of but that no vehicle has, with the unit that was probably
/// meant. For notes: a model of a toy or of a mining truck may have them.
std::vector<VehicleProblem> find_unlikely(const Vehicle& vehicle);

}  // namespace camber::vehicle
