#pragma once

#include <string>

#include "bench/multibody/problems.h"
#include "camber/vehicle/vehicle.h"

namespace camber::bench {

/// A vehicle hung up by nothing, disturbed: closed states with all speeds. As the peers can have
/// it: springs and dampers linear (a damper with the mean of its two rates), no stops, and planar
/// loops closed by ball joints, which leaves them one redundant equation instead of three.
MultibodyProblem make_vehicle_problem(const vehicle::Vehicle& vehicle, int states);

/// A chassis of its own length with `axles` copies of the vehicle's last axle, not steered.
vehicle::Vehicle make_road_train(const vehicle::Vehicle& vehicle, int axles);

}  // namespace camber::bench
