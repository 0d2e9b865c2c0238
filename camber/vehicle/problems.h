#pragma once

#include <string>
#include <vector>

#include "camber/vehicle/vehicle.h"

namespace camber::vehicle {

/// A fault in a vehicle's data that prevents making a mechanism.
struct VehicleProblem {
  std::string place;  // as in the file: "axles.front.points.upper_ball"
  std::string text;   // "is on the arm's hinge axis"
};

/// All of them; an empty list means that expand() works. Whether the loops can be assembled is not
/// among them: they are closed in the design position, by construction.
std::vector<VehicleProblem> find_problems(const Vehicle& vehicle);

/// Values that are valid but outside the range of all vehicles, with the unit that was probably
/// meant. For notes: a model of a toy or of a mining truck may have them.
std::vector<VehicleProblem> find_unlikely(const Vehicle& vehicle);

}  // namespace camber::vehicle
