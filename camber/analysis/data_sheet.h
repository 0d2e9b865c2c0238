#pragma once

// The figures that a chassis engineer checks first: mass, center, inertia, axle loads, wheelbase,
// tracks, steering ratio, wheel rates and ride frequencies of a vehicle at rest under its own
// weight.

#include <optional>
#include <string>
#include <vector>

#include "camber/math/types.h"
#include "camber/vehicle/vehicle.h"

namespace camber::analysis {

/// One axle at rest. Values of wheels are means of left and right; angles follow ISO 8855 as the
/// rig's do (docs/manual/rig.md). NaN if the vehicle file lacks the data.
struct AxleSheet {
  std::string name;
  double position = 0;        // x of the wheel centers in V, design position [m]
  double track = 0;           // between the contacts [m]; NaN for an axle of one wheel
  double mass = 0;            // wheels, carriers and arms of its suspensions [kg]
  double load = 0;            // all its tires on level ground [N]
  double load_share = 0;      // load over the vehicle's weight [1]
  double travel = 0;          // from the design position; compression is positive [m]
  double camber = 0;          // [rad]
  double toe = 0;             // of each wheel [rad]
  double wheel_rate = 0;      // springs and stops that carry weight, both wheels alike [N/m]
  double tire_rate = 0;       // [N/m]
  double ride_frequency = 0;  // uncoupled, springs and tires in series [Hz]
  double roll_stiffness = 0;  // springs and anti-roll bar, without tires [N m/rad]
  /// Compression of the spring beyond the length at which its stop starts [m]; positive: the stop
  /// carries part of the weight.
  double into_bump_stop = 0, into_rebound_stop = 0;
};

struct DataSheet {
  double mass = 0;                    // [kg]
  Vector3 center = Vector3::Zero();   // of mass, in V, design position [m]
  Matrix3 inertia = Matrix3::Zero();  // about the center, V's axes, design position [kg m^2]
  double center_height = 0;           // over level ground, at rest [m]
  double wheelbase = 0;               // from the first to the last axle [m]
  /// Steering wheel's angle over the mean angle of the steered wheels, straight ahead; positive.
  std::optional<double> steering_ratio;
  std::vector<AxleSheet> axles;
  std::vector<std::string> notes;  // stops that carry weight, figures that could not be computed
};

/// A vehicle with a trailer is measured without it. A trailer alone has no position at rest.
DataSheet make_data_sheet(const vehicle::Vehicle& vehicle);

/// Lines of text, two spaces in front of each.
std::string to_text(const DataSheet& sheet);
/// An object, SI units and degrees as the keys say, null where a value is NaN.
std::string to_json(const DataSheet& sheet);

}  // namespace camber::analysis
