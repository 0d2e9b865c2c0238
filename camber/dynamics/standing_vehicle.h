#pragma once

#include <span>
#include <string>
#include <vector>

#include "camber/dynamics/generated_chassis.h"
#include "camber/integrate/mechanical_system.h"

namespace camber::dynamics {

/// A vehicle on the vertical springs of its tires, as vehicle::expand() makes it with
/// `is_standing`, or in free fall, by generated code, with its own forces and external forces on
/// its wheels.
class StandingVehicle {
 public:
  /// Throws what GeneratedChassis throws.
  explicit StandingVehicle(const vehicle::VehicleMechanism& vehicle,
                           const mechanism_code::CompileOptions& options = {});

  GeneratedChassis& chassis() { return chassis_; }
  const GeneratedChassis& chassis() const { return chassis_; }
  /// A vertical force at a wheel's center from now on [N].
  void push(int wheel, double force) { pushes_[wheel] = force; }
  bool calc_accelerations(double t, std::span<const double> q, std::span<const double> v,
                          std::span<double> v_dot);
  /// For the integrators. It refers to this vehicle.
  integrate::MechanicalSystem make_system();

 private:
  struct Tire {
    double height = 0;  // of the wheel's center where the spring is free, above W's origin [m]
    double stiffness = 0, damping = 0;  // [N/m], [N s/m]
  };
  void find_tires(const vehicle::VehicleMechanism& vehicle);

  GeneratedChassis chassis_;
  std::vector<Tire> tires_;
  std::vector<double> pushes_;
  ChassisLoads loads_;
};

}  // namespace camber::dynamics
