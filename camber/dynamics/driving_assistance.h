#pragma once

// Controllers that equipment may have: anti-lock brakes, traction control, stability control. Laws and
// sources are in docs/theory/driving.md, section 9.

#include <memory>
#include <vector>

#include "camber/dynamics/controller.h"

namespace camber::dynamics {

/// Valves between the brake line and each wheel: the wheel's pressure follows what is asked for with a
/// lag, no faster than its rates.
struct BrakeModulator {
  double lag = 0.01;     // [s]
  double rise_rate = 6;  // [1/s], of the full pressure
  double fall_rate = 6;  // [1/s]
  bool operator==(const BrakeModulator&) const = default;
};

struct AntiLockBrakes {
  double interval = 0.005;     // [s]
  double slip = 0.15;          // above which pressure falls
  double deceleration = 40;    // of a wheel's rim, above which pressure is held [m/s^2]
  double acceleration = 20;    // of a wheel's rim, above which pressure rises again [m/s^2]
  double build_rate = 1;       // of pressure after a cycle [1/s]
  double min_speed = 1.5;      // below it nothing is controlled [m/s]
  bool has_select_low = true;  // wheels of the axles behind have the lower pressure of both
};

struct TractionControl {
  double interval = 0.005;  // [s]
  double slip = 0.12;       // of driven wheels, above which torque falls
  double engine_gain = 6;   // throttle per slip and second [1/s]
  double brake_gain = 2;    // pressure per slip
  double max_pressure = 0.4;
  double min_speed = 1;  // by which slip is at least divided [m/s]
};

struct StabilityControl {
  double interval = 0.005;           // [s]
  double characteristic_speed = 22;  // of the reference car [m/s]
  double dead_band = 0.06;           // of the yaw rate [rad/s]
  double gain = 4;                   // pressure per yaw rate beyond the dead band [s/rad]
  double max_pressure = 0.7;
  double reserve = 1.5;  // of lateral acceleration over the measured one [m/s^2]
  double lag = 0.12;     // of the reference's yaw rate [s]
  double min_speed = 5;  // [m/s]
};

/// What these controllers must know of the vehicle.
struct AssistedVehicle {
  std::vector<double> radius = {};  // of the rolling wheels [m]
  std::vector<bool> is_driven = {};
  std::vector<int> partner = {};  // the other wheel of the axle, or -1
  std::vector<bool> is_left = {};
  std::vector<bool> is_front = {};  // of the first axle
  std::vector<bool> is_rear = {};   // of the last axle
  double wheelbase = 0;             // [m]
};

std::shared_ptr<Controller> make_anti_lock_brakes(const AntiLockBrakes& setup,
                                                  const BrakeModulator& modulator,
                                                  const AssistedVehicle& vehicle);
std::shared_ptr<Controller> make_traction_control(const TractionControl& setup,
                                                  const AssistedVehicle& vehicle);
std::shared_ptr<Controller> make_stability_control(const StabilityControl& setup,
                                                   const AssistedVehicle& vehicle);

}  // namespace camber::dynamics
