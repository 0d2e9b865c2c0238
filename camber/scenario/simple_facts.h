#pragma once

#include <memory>

#include "camber/dynamics/equipment.h"
#include "camber/dynamics/vehicle.h"
#include "camber/dynamics/vehicle_facts.h"
#include "camber/scenario/scenario.h"
#include "camber/terrain/terrain.h"
#include "camber/tire/rolling_tire.h"

namespace camber::scenario {

/// How a tire rolls and grips at a load.
struct TireFigures {
  double rolling_radius = 0;               // [m]
  double rolling_resistance = 0;           // over the load
  double grip_along = 0, grip_across = 0;  // greatest force over the load, on ground of friction 1
};
TireFigures find_tire_figures(const tire::RollingTire& tire, double load);

/// What the simple levels take from a vehicle's file and its tires.
struct SimpleFigures {
  dynamics::VehicleFacts facts;
  TireFigures tire;  // of the first one, at the tires' mean load
};

/// A vehicle of the levels "single_track" and "point_mass". Keeps a pointer to the terrain.
std::unique_ptr<dynamics::Vehicle> make_simple_vehicle(const Scenario& scenario,
                                                       const SimpleFigures& figures,
                                                       const dynamics::Equipment& equipment,
                                                       const dynamics::VehicleTires& tires,
                                                       const terrain::Terrain* terrain);

}  // namespace camber::scenario
