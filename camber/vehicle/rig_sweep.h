#pragma once

// Sweeps of a kinematics rig: both wheels of an axle up and down, one up and the other down, and
// the steering from lock to lock.

#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "camber/vehicle/rig.h"

namespace camber::vehicle {

/// Values in equal steps that include zero and both ends.
struct RigRange {
  double first = 0, last = 0, step = 0;
};
std::vector<double> values_of(const RigRange& range);

struct RigRequest {
  /// Travel of all wheels [m]; if empty, from stop to stop, but at most kUsualTravel to
  /// each side.
  std::optional<RigRange> travel = {};
  /// Travel of pitman or rack [rad] or [m]; if empty, kUsualPitman or kUsualRack.
  std::optional<RigRange> steering = {};
  /// Radius of all wheels [m]; if empty, that of the vehicle at rest, or the unloaded one.
  std::optional<double> loaded_radius = {};
  std::function<void()> between = {};  // called before each position; may throw to end the sweeps
};
inline constexpr double kUsualTravel = 0.13;                  // [m] to both sides
inline constexpr double kUsualPitman = std::numbers::pi / 6;  // [rad]
inline constexpr double kUsualRack = 0.06;                    // [m]

struct AxleSweep {
  int axle = 0;
  int left = 0, right = -1;  // corners; an axle of one wheel has no right one
  RigRange range;
  std::vector<RigState> parallel;  // both wheels over `range`
  std::vector<RigState> opposed;   // left up, right down, as far as both ends of `range` allow
};

/// A vehicle at rest on its tires under its own weight.
struct Standing {
  std::vector<double> travel;  // of each corner [m]
  std::vector<double> load;    // on each tire [N]
};

/// Empty if a tire has no vertical stiffness or no equilibrium is found.
std::optional<Standing> find_standing(const Vehicle& vehicle);

struct RigResult {
  std::vector<Corner> corners;
  std::vector<double> loaded_radius;  // of each axle [m]
  RigState design;
  std::optional<Standing> standing;
  std::optional<RigState> at_standing;  // where the suspensions go there
  std::vector<AxleSweep> axles;
  RigRange steering_range;
  std::vector<RigState> steering;  // arms at the design position; empty without a steering
  double closure_error = 0;        // largest of all positions [m] or [1]
  std::vector<std::string> notes;  // where a range was cut, a stop passed
};

/// All of it. Throws std::invalid_argument for a vehicle whose parts do not fit and for a range out
/// of reach, with the wheel and the end of its travel.
RigResult run_rig(const Vehicle& vehicle, const RigRequest& request = {});

}  // namespace camber::vehicle
