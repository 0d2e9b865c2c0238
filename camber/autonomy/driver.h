#pragma once

// A driver: a steering law and a speed law, sampled.
//
//   DriverSetup setup;
//   setup.path = PathBuilder(0, 0, 0).line(50).lane_change(60, 3.5).line(200).build();
//   setup.steering = PreviewSteering(PreviewFigures{.mass = 1500, ...});
//   setup.speed = SpeedControl{.profile = {.speed = {.x = {0}, .y = {20}}}};
//   Driver driver(setup);
//   Command command = driver.update(view);   // every step; a new command every sample_time

#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "camber/autonomy/approach.h"
#include "camber/autonomy/mpc_steering.h"
#include "camber/autonomy/path.h"
#include "camber/autonomy/preview.h"
#include "camber/autonomy/speed.h"
#include "camber/autonomy/steering.h"
#include "camber/autonomy/vehicle_view.h"

namespace camber::autonomy {

using SteeringLaw =
    std::variant<SteerStraight, SteerTable, SteerStep, SteerRamp, SteerSine, SteerSineWithDwell,
                 PurePursuit, Stanley, PreviewSteering, MpcSteering>;
using SpeedLaw = std::variant<Pedals, SpeedControl>;

/// Whether the law needs a path.
bool follows_path(const SteeringLaw& law);

/// From an instant on the driver no longer looks: the steering wheel is fixed, or goes on as before,
/// and each pedal has a position that does not change (braking in a turn, lift-off in a turn).
struct OpenLoop {
  double after = 0;                    // earliest time [s]
  std::optional<double> after_x = {};  // and not before it is at this x in the world [m]
  bool is_when_steady = false;         // and not before the motion has been steady for a second
  bool holds_steering = true;          // at its angle of the instant
  std::optional<double> throttle = {}, brake = {};  // 0 to 1; empty: as at the instant
};

/// From a time on, until the next one.
struct TimedChoice {
  double time = 0;  // [s]
  int choice = 0;
};

/// The parts of a driver.
struct DriverSetup {
  SteeringLaw steering = SteerStraight{};
  SpeedLaw speed = Pedals{};
  Path path = {};  // may be empty with open-loop steering and a speed over time
  SteeringLimits limits = {};
  double sample_time = 0.01;  // [s]
  double parking_brake = 0;   // 0 to 1, constant
  std::optional<OpenLoop> open_loop = {};
  /// Command::gear and Command::selector from these times on; may be empty.
  std::vector<TimedChoice> gears = {}, selectors = {};
  /// From then on [s] this torque [N m] over time [s] turns the steering wheel, left +, in place of
  /// the law of steering.
  double steers_by_torque_from = std::numeric_limits<double>::infinity();
  Table steering_torque = {{0}, {0}};
};

/// Deterministic: the same views give the same commands, bit for bit. update() neither allocates
/// nor makes a virtual call.
class Driver {
 public:
  /// Throws std::invalid_argument with what is wrong in the setup.
  explicit Driver(DriverSetup setup);

  /// The command from view.time on. Between samples it is the last one.
  Command update(const VehicleView& view);

  /// Follows another path from the next sample on; `foot` is where the vehicle is on it.
  void follow(Path path, const PathFoot& foot);

  /// Restarts at the next sample, from where the vehicle is then, after another driver.
  void restart();

  const DriverSetup& setup() const { return setup_; }
  /// Where the vehicle is on the path, at the last sample; meaningless without one.
  const PathFoot& foot() const { return foot_; }
  /// Whether DriverSetup::open_loop has begun.
  bool is_open() const { return is_open_; }

  /// Its state as plain numbers, for a checkpoint: a driver of the same setup that restores them
  /// continues as this one would.
  std::vector<double> state() const;
  void set_state(const std::vector<double>& state);

 private:
  double calc_target_steer(const VehicleView& view) const;
  bool opens_now(const VehicleView& view);

  DriverSetup setup_;
  bool is_started_ = false;
  double time_ = 0;  // time of the last sample [s]
  Command command_;
  PathFoot foot_;
  SpeedMemory memory_;
  // Open loop: since when speed and yaw rate have been near these values, and what is held.
  bool is_open_ = false;
  double steady_since_ = 0, steady_speed_ = 0, steady_yaw_rate_ = 0;  // [s], [m/s], [rad/s]
  Command held_;
};

}  // namespace camber::autonomy
