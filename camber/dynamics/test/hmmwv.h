#pragma once

// The HMMWV for tests: from the files of the repository, and as simple models with its figures at
// rest (models/hmmwv.toml with models/tires/hmmwv-tmeasy.toml).

#include "camber/dynamics/equipment_file.h"
#include "camber/dynamics/point_mass.h"
#include "camber/dynamics/single_track.h"
#include "camber/tire/test/hmmwv_tires.h"

namespace camber::dynamics {

inline const Equipment& load_hmmwv_equipment() {
  static const Equipment equipment = load_equipment("models/equipment/hmmwv.toml");
  return equipment;
}

inline const SimpleBrakes& load_hmmwv_brakes() {
  static const SimpleBrakes brakes{.front = 2 * load_hmmwv_equipment().brakes[0].capacity,
                                   .rear = 2 * load_hmmwv_equipment().brakes[2].capacity,
                                   .parks_behind = true,
                                   .lag = load_hmmwv_equipment().brake_lag};
  return brakes;
}

/// Axles with the slopes of TMeasy's tires at the static load.
inline SingleTrack load_hmmwv_linear_single_track() {
  return {.mass = 2597.14,
          .yaw_inertia = 5301.06,
          .front = 1.6011,
          .rear = 1.7009,
          .height = 0.70,
          .front_tire = LinearAxle{98822.3},
          .rear_tire = LinearAxle{93331.6},
          .grip = 0.8,
          .drag = 1.38,
          .rolling = 0.015,
          .rolling_radius = 0.44,
          .wheel_inertia = 30.8,
          .brakes = load_hmmwv_brakes(),
          .driveline = load_hmmwv_equipment().driveline};
}

inline SingleTrack load_hmmwv_single_track() {
  SingleTrack vehicle = load_hmmwv_linear_single_track();
  vehicle.front_tire = vehicle.rear_tire = tire::load_hmmwv_tmeasy();
  return vehicle;
}

inline PointMass load_hmmwv_point_mass() {
  PointMass vehicle{.mass = 2597.14,
                    .wheelbase = 3.302,
                    .grip_along = 0.8,
                    .grip_across = 0.8,
                    .drag = 1.38,
                    .rolling = 0.015,
                    .rolling_radius = 0.44,
                    .wheel_inertia = 30.8,
                    .brakes = load_hmmwv_brakes()};
  vehicle.traction = calc_traction_curve(load_hmmwv_equipment().driveline, vehicle.rolling_radius);
  return vehicle;
}

}  // namespace camber::dynamics
