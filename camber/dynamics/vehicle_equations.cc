#include "camber/dynamics/vehicle_equations.h"

namespace camber::dynamics {

void VehicleEquations::add_common_quantities() {
  inputs_ = {{"steering_wheel_angle", "rad", 0.1}, {"throttle", "1", 0.1}, {"brake", "1", 0.1}};
  outputs_ = {{"speed", "m/s"},
              {"lateral_acceleration", "m/s^2"},
              {"yaw_rate", "rad/s"},
              {"sideslip", "rad"}};
}

}  // namespace camber::dynamics
