#pragma once

#include <memory>

#include "camber/dynamics/equipment.h"
#include "camber/dynamics/point_mass.h"
#include "camber/dynamics/single_track.h"
#include "camber/dynamics/start.h"
#include "camber/dynamics/vehicle.h"
#include "camber/dynamics/vehicle_facts.h"
#include "camber/terrain/terrain.h"

namespace camber::dynamics {

struct SimpleVehicleOptions {
  double step = 0.001;        // [s] of Runge and Kutta's classical method
  Start start;                // of the point midway between the axles
  double parking_brake = 0;   // 0 to 1, until the first command
  double steering_ratio = 1;  // angle of the steering wheel over that of the wheels
};

/// Parameters of a vehicle as a point mass or single track. `gear`: 1 for all forward ones, 0 for
/// neutral, -1 for reverse.
PointMass make_point_mass(const VehicleFacts& facts, const Equipment& equipment,
                          bool is_low_range = false, int gear = 1);
SingleTrack make_single_track(const VehicleFacts& facts, const Equipment& equipment,
                              const VehicleTires& tires);

/// Vehicles that move over the ground without suspension or single wheels. They keep a pointer to
/// the terrain.
std::unique_ptr<Vehicle> make_point_mass_vehicle(const PointMass& vehicle,
                                                 const SimpleVehicleOptions& options,
                                                 const terrain::Terrain* terrain);
std::unique_ptr<Vehicle> make_single_track_vehicle(const SingleTrack& vehicle,
                                                   const SimpleVehicleOptions& options,
                                                   const terrain::Terrain* terrain);

}  // namespace camber::dynamics
