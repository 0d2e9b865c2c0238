#pragma once

namespace camber::autonomy {

/// The driver's view of the vehicle: x, y in the world, yaw to the left.
struct VehicleView {
  double time = 0;             // [s]
  double x = 0, y = 0;         // midway between the axles [m]
  double yaw = 0;              // [rad]
  double speed = 0;            // forward [m/s]
  double lateral_speed = 0;    // to the left, midway between the axles [m/s]
  double yaw_rate = 0;         // [rad/s]
  double acceleration = 0;     // forward [m/s^2]
  double steer = 0;            // actual mean angle of the front wheels [rad]
  double grade = 0;            // rise over run of the ground ahead; 0 if it is not known
  double z = 0;                // of the ground below that point [m]
  double roll = 0, pitch = 0;  // right side down +, nose down + [rad]
};

/// The command of a driver, or of anything that replaces it.
struct Command {
  double steer = 0;          // mean angle of the front wheels, left + [rad]
  double throttle = 0;       // 0 to 1
  double brake = 0;          // 0 to 1
  double parking_brake = 0;  // 0 to 1
  /// 1: D, forward; -1: R; 2: N; 3: P, neutral with the parking brake set; 0: as it is. To be changed
  /// at rest.
  int selector = 0;
  int gear = 0;        // forward gear to hold; 0: the gearbox chooses
  double clutch = -1;  // pedal of a manual gearbox, 1 is pressed; negative: it is operated for you
  /// The driver turns the steering wheel by torque in place of `steer`: left + [N m]; 0: hands off.
  bool steers_by_torque = false;
  double steering_torque = 0;
};

}  // namespace camber::autonomy
