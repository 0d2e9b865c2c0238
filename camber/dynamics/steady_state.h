#pragma once

// Steady states of a vehicle, and the linear model about them.
//
//   auto equations = vehicle->make_equations(center);
//   SteadyState turn = find_steady_state(equations.get(), {.speed = 22.2, .lateral_acceleration = 4});
//   LinearVehicle model = linearize(equations.get(), turn);      // x' = A x + B u, y = C x + D u

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "camber/dynamics/vehicle_equations.h"
#include "camber/math/types.h"

namespace camber::dynamics {

/// A steady turn to the left; to the right where lateral acceleration or radius is negative.
struct SteadyRequest {
  double speed = 0;                   // of the center of mass [m/s]; 0: at rest
  double lateral_acceleration = 0;    // [m/s^2]
  std::optional<double> radius = {};  // instead, of the center of mass' circle [m]
};

struct SteadyState {
  std::vector<double> x, u, y;  // VehicleEquations' states, inputs and outputs
  double residual = 0;          // largest rate that is left, over the size of a small change [1/s]
};

/// There is no such steady state: what() says how far the search got.
class NoSteadyState : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Newton's method for all rates to vanish, with speed and lateral acceleration (or radius) given,
/// and the steering wheel's angle and a pedal, throttle or brake, as further unknowns; from straight
/// ahead to the turn in steps. At rest the vehicle is where it stands. Throws NoSteadyState.
SteadyState find_steady_state(VehicleEquations* equations, const SteadyRequest& request);

/// x' = A x + B u, y = C x + D u for small differences from a steady state.
struct LinearVehicle {
  std::vector<VehicleEquations::Quantity> states, inputs, outputs;
  MatrixX<double> A, B, C, D;
  /// Largest estimated error of a derivative, over the largest derivative of its row.
  double error = 0;
};

/// Central differences of the vehicle's own rates, extrapolated to a step of zero: each derivative
/// from the step size at which two extrapolations differ least. Pedals that are at their end are
/// differentiated from that side. Throws std::runtime_error if there are no rates at a state nearby.
LinearVehicle linearize(VehicleEquations* equations, const SteadyState& about);

}  // namespace camber::dynamics
