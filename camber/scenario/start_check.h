#pragma once

#include "camber/driveline/brake.h"
#include "camber/dynamics/driven_vehicle.h"
#include "camber/dynamics/snapshot.h"
#include "camber/dynamics/vehicle_facts.h"
#include "camber/integrate/fixed_step.h"
#include "camber/scenario/load_parts.h"
#include "camber/scenario/scenario.h"

namespace camber::scenario {

/// Throws dynamics::StandError if the center of mass is not between the wheels.
void check_center(const Scenario& scenario, const DriveParts& parts,
                  const dynamics::MassTotal& total);

/// Throws dynamics::StandError if the vehicle cannot start there: on a slope where it would tip
/// over, or slide away from rest. A vehicle that starts with a speed may slide. Soil is not
/// checked: whether it holds is found by the drive.
void check_standing(const Scenario& scenario, const DriveParts& parts,
                    const terrain::Terrain& terrain, const dynamics::MassTotal& total);

/// Throws dynamics::StandError if the ground reaches into the body: above the underbody of the
/// vehicle's shape; for a vehicle without a shape, between the wheels above the frame's origin and
/// the wheels' centers.
void check_belly(const DriveParts& parts, const terrain::Terrain& terrain,
                 const dynamics::VehicleSnapshot& start);

/// The longest step [s] of a method with which a wheel of this inertia about its axis [kg m^2] can
/// be at rest between the tread of its tire and its brake, docs/theory/tires.md (5a): with longer
/// steps it oscillates, and the vehicle creeps away. A brake of capacity 0 is none.
double find_longest_standing_step(const tire::RollingTire& tire, double load, double friction,
                                  double inertia, const driveline::Brake& brake,
                                  integrate::FixedStep method);

}  // namespace camber::scenario
