#pragma once

#include "camber/tire/rolling_tire.h"

namespace camber::dynamics {

/// The max force of a tire on the ground over its load.
struct Grip {
  double along = 0, across = 0;
};
Grip find_grip(const tire::RollingTire& tire, double load, double ground_friction);

/// Rolling and friction of a tire at a load.
struct TireFigures {
  double rolling_radius = 0;               // [m]
  double rolling_resistance = 0;           // over the load
  double grip_along = 0, grip_across = 0;  // max force over the load, on ground of friction 1
};
TireFigures find_tire_figures(const tire::RollingTire& tire, double load);

}  // namespace camber::dynamics
