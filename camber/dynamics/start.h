#pragma once

namespace camber::dynamics {

/// Where and how a vehicle starts. Its height follows from the ground.
struct Start {
  double x = 0, y = 0;        // of the vehicle frame's origin [m]
  double heading = 0;         // from x to the left [rad]
  double speed = 0;           // forward, wheels rolling [m/s]
  bool has_gear = false;      // the gear is given, not the usual one
  int gear = 1;               // >= 1: forward, shifted by the gearbox; 0: neutral; -1: reverse
  bool is_low_range = false;  // of the transfer case
};

}  // namespace camber::dynamics
