#pragma once

#include <span>
#include <string>
#include <vector>

namespace camber::dynamics {

/// A vehicle on level ground as x' = f(x, u), y = g(x, u) with as few states as possible: without
/// its place and heading, the angles of its wheels and the energy accounts, on which nothing
/// depends there. In a steady turn x is constant (docs/theory/linear.md, section 6).
class VehicleEquations {
 public:
  struct Quantity {
    std::string name, unit;
    double size = 1;         // of a small change, for difference quotients
    std::string group = {};  // of states: what a mode is called in which it moves
    /// Of a state that is the travel of a wheel: how far it lifts the wheel center per unit [m].
    double lift = 0;
  };
  /// The first inputs and outputs of every vehicle.
  enum Input { kSteeringWheel, kThrottle, kBrake, kInputs };
  enum Output { kSpeed, kLateralAcceleration, kYawRate, kSideslip, kOutputs };

  virtual ~VehicleEquations() = default;
  const std::vector<Quantity>& states() const { return states_; }
  const std::vector<Quantity>& inputs() const { return inputs_; }
  const std::vector<Quantity>& outputs() const { return outputs_; }

  /// Where the vehicle starts: at rest in equilibrium, or rolling straight ahead.
  const std::vector<double>& initial() const { return initial_; }
  /// The gear that is held: at rest neutral, else the one that the gearbox shifts to at this speed.
  int gear() const { return gear_; }

  /// Rates and outputs; false if there are none: why(). Allocates nothing.
  virtual bool calc(std::span<const double> x, std::span<const double> u, std::span<double> x_dot,
                    std::span<double> y) = 0;
  const std::string& why() const { return why_; }

 protected:
  /// Those that all vehicles have.
  void add_common_quantities();

  std::vector<Quantity> states_, inputs_, outputs_;
  std::vector<double> initial_;
  int gear_ = 0;
  std::string why_;
};

}  // namespace camber::dynamics
