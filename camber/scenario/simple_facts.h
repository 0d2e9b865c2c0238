#pragma once

#include <memory>

#include "camber/dynamics/equipment.h"
#include "camber/dynamics/vehicle.h"
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
  double mass = 0;             // [kg]
  double yaw_inertia = 0;      // [kg m^2]
  double front = 0, rear = 0;  // axles from the center of mass [m]
  double height = 0;           // of the center of mass [m]
  double wheel_inertia = 0;    // of all wheels about their axes [kg m^2]
  TireFigures tire;            // at the wheels' mean load
};

/// A vehicle of the levels "single_track" and "point_mass". Keeps a pointer to the terrain.
std::unique_ptr<dynamics::Vehicle> make_simple_vehicle(const Scenario& scenario,
                                                       const SimpleFigures& figures,
                                                       const dynamics::Equipment& equipment,
                                                       const tire::RollingTire& tire,
                                                       const terrain::Terrain* terrain);

}  // namespace camber::scenario
