#pragma once

#include "camber/dynamics/driven_vehicle.h"
#include "camber/dynamics/snapshot.h"
#include "camber/dynamics/vehicle_facts.h"
#include "camber/integrate/fixed_step.h"
#include "camber/scenario/load_parts.h"
#include "camber/scenario/scenario.h"

namespace camber::scenario {

/// Throws dynamics::StandError where the center of mass is not between the wheels.
void check_center(const Scenario& scenario, const DriveParts& parts,
                  const dynamics::MassTotal& total);

/// Throws dynamics::StandError where a vehicle cannot start: on a slope where it would tip over, or
/// slide away from rest. A vehicle that starts with a speed may slide. Soil is not asked: what it
/// holds is found by driving on it.
void check_standing(const Scenario& scenario, const DriveParts& parts,
                    const terrain::Terrain& terrain, const dynamics::MassTotal& total);

/// Throws dynamics::StandError where the ground between the wheels reaches into the body: above the
/// frame's origin and the wheels' centers. A vehicle's file does not say how low its body is.
void check_belly(const DriveParts& parts, const terrain::Terrain& terrain,
                 const dynamics::VehicleSnapshot& start);

/// The longest step [s] of a method with which a wheel of this inertia about its axis [kg m^2] can
/// stand on the tread of its tire, docs/theory/tires.md (5a): with longer ones it swings, and the
/// vehicle creeps away.
double find_longest_standing_step(const tire::RollingTire& tire, double load, double friction,
                                  double inertia, integrate::FixedStep method);

}  // namespace camber::scenario
