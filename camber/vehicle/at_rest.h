#pragma once

#include "camber/vehicle/vehicle.h"

namespace camber::vehicle {

/// Adjusts the axles that have Axle::at_rest so that the vehicle, with its masses and the vertical
/// springs of its tires, is at rest on level ground as they say. What is adjusted:
///   travel        the seat of the spring: its free length, or its preload if it has no stiffness
///   camber, toe   how the wheel sits on its carrier, Wheel::camber and Wheel::toe
/// Hardpoints stay where the drawing has them: so do all gains, roll centers and spring ratios.
/// Throws std::invalid_argument if there is no such rest: which axle, and why.
void adjust_to_rest(Vehicle* vehicle);

}  // namespace camber::vehicle
