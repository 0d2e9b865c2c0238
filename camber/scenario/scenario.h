#pragma once

// What a drive is: the vehicle, its tires, the ground, who drives and how, how long, when it ends,
// and what is to be measured. Plain values in SI units and radians, as a file of kind "scenario"
// gives them (docs/manual/scenarios.md); whoever runs it makes vehicle, driver and ground of them.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "camber/core/overrides.h"
#include "camber/figures/figure_request.h"
#include "camber/terrain/bump.h"

namespace camber::scenario {

/// A polygon through (x[k], y[k]), constant outside of its points.
struct Table {
  std::vector<double> x, y;
};

// --- Words of a file, in the order of the enumerators ---

enum class VehicleLevel { kFull, kSingleTrack, kPointMass };
inline constexpr std::string_view kVehicleLevelWords[] = {"full", "single_track", "point_mass"};

enum class Formulation { kGenerated, kCe, kTa, kFa };
inline constexpr std::string_view kFormulationWords[] = {"generated", "ce", "ta", "fa"};

enum class TireModel { kTmeasy, kFiala, kBrush, kMagicFormula, kRigid, kRelaxedRolling };
inline constexpr std::string_view kTireModelWords[] = {"tmeasy",        "fiala", "brush",
                                                       "magic_formula", "rigid", "relaxed_rolling"};

enum class TireContact { kPoint, kFourPoints, kEnvelope };
inline constexpr std::string_view kTireContactWords[] = {"point", "four_points", "envelope"};

enum class SoilLevel { kRigid, kLumped, kGrid };
inline constexpr std::string_view kSoilLevelWords[] = {"rigid", "lumped", "grid"};

enum class SteeringKind {
  kNone,
  kTable,
  kStep,
  kRamp,
  kSine,
  kSineWithDwell,
  kPurePursuit,
  kStanley,
  kPreview
};
inline constexpr std::string_view kSteeringKindWords[] = {
    "none",         "table",   "step",   "ramp", "sine", "sine_with_dwell",
    "pure_pursuit", "stanley", "preview"};

enum class PathKind { kStraight, kCircle, kLaneChange, kIso3888, kPoints };
inline constexpr std::string_view kPathKindWords[] = {"straight", "circle", "lane_change",
                                                      "iso3888_1", "points"};

enum class SpeedKind { kNone, kHold, kProfile, kOpen };
inline constexpr std::string_view kSpeedKindWords[] = {"none", "hold", "profile", "open"};

enum class Range { kHigh, kLow };
inline constexpr std::string_view kRangeWords[] = {"high", "low"};

enum class RunMethod { kMidpoint, kRungeKutta4 };
inline constexpr std::string_view kRunMethodWords[] = {"midpoint", "rk4"};

enum class StopKind { kSpeedBelow, kRollAbove, kXBeyond, kDeviationAbove, kWheelLifted, kTime };
inline constexpr std::string_view kStopKindWords[] = {
    "speed_below", "roll_above_deg", "x_beyond", "deviation_above", "wheel_lifted", "time"};

enum class StopOutcome { kEnds, kFails };
inline constexpr std::string_view kStopOutcomeWords[] = {"ends", "fails"};

/// The word that stands for it in a file.
template <class Enum, std::size_t N>
std::string_view word_of(Enum value, const std::string_view (&words)[N]) {
  return words[static_cast<std::size_t>(value)];
}

// --- The parts ---

/// A mass fixed to the chassis.
struct Payload {
  double mass = 0;                // [kg]
  std::array<double, 3> at = {};  // in the vehicle's frame [m]
};

/// Where and how the vehicle is at t = 0; it stands on the ground there, whatever its height.
struct Start {
  double x = 0, y = 0;  // of the vehicle frame's origin [m]
  double heading = 0;   // from x to the left [rad]
  double speed = 0;     // forward, wheels rolling [m/s]
  int gear = 1;         // 1 and more: forward, shifted by the gearbox; 0: neutral; -1: reverse
};

struct VehicleSetup {
  std::string model;      // a file of kind "vehicle": its path, ready to open
  std::string equipment;  // the same of kind "equipment"; empty: the HMMWV's
  VehicleLevel level = VehicleLevel::kFull;
  Formulation formulation = Formulation::kGenerated;
  std::vector<Payload> payload;
  /// Of the whole vehicle without payload above the ground, in the design position [m]: the
  /// chassis' center of mass is moved up or down to get there. None: as the model has it.
  std::optional<double> center_of_mass_height;
  Start start;
};

struct TireSetup {
  TireModel model = TireModel::kTmeasy;
  bool has_model = false;  // the scenario says it; else it is that of the tire's file
  /// Ready to open: a file of kind "tire", or the .tir of a Magic Formula; empty: those that the
  /// vehicle's file names.
  std::string file;
  TireContact contact = TireContact::kPoint;
  /// Of relaxed rolling: of the load, and the slip that takes all of it to stop at once [m/s].
  double friction = 0.8, slip_speed = 0.5;
};

struct Ground {
  std::string terrain;         // a file of kind "terrain", ready to open; empty: a plane
  double friction = 1;         // factor on the friction of the tires
  double slope = 0;            // of the plane: rise over run [1]
  double slope_heading = 0;    // uphill, from x to the left [rad]
  std::string soil = "rigid";  // of the plane: "rigid" or a name of the soil library
  SoilLevel soil_level = SoilLevel::kRigid;
  double soil_spacing = 0.04;        // of the nodes of a soil grid [m]
  bool has_bearing_limit = false;    // its pressure is no more than Terzaghi's capacity
  std::vector<terrain::Bump> bumps;  // on top of plane or terrain
};

/// Angles are the mean of the front wheels', left +. What belongs to other kinds is not used.
struct SteeringSpec {
  SteeringKind kind = SteeringKind::kNone;
  Table table;           // table: [s], [rad]
  double at = 0;         // all but table and the path followers: when it begins [s]
  double angle = 0;      // step, sine, sine_with_dwell: amplitude; ramp: where it ends [rad]
  double rise = 0.1;     // step: until the angle is there [s]
  double rate = 0;       // ramp [rad/s]
  double frequency = 0;  // sine, sine_with_dwell [Hz]
  int cycles = 1;        // sine; 0: it goes on
  double dwell = 0.5;    // sine_with_dwell: how long it stays at the second peak [s]

  // Followers of the path
  double look_ahead_time = 0.8;                       // pure_pursuit: distance over speed [s]
  double look_ahead_least = 4, look_ahead_most = 20;  // pure_pursuit: the distance is within [m]
  double understeer = 0;      // pure_pursuit: added per lateral acceleration [rad s^2/m]
  double gain = 1;            // stanley: on the deviation [1/s]
  double soft_speed = 1;      // stanley: added to the speed [m/s]
  double yaw_damping = 0;     // stanley: of the yaw rate that the path does not ask for [s]
  double front_slip = 0;      // stanley: slip angle in front per lateral acceleration [rad s^2/m]
  double preview_time = 0.8;  // preview: how far ahead it looks [s]
  double preview_least = 3;   // preview: and how far in any case [m]

  // Of all kinds: what the driver never exceeds; none: what the vehicle and the driver can
  std::optional<double> greatest_angle, greatest_rate;  // [rad], [rad/s]

  bool follows_path() const { return kind >= SteeringKind::kPurePursuit; }
};

/// A move to another lane: least jerk over the way that `duration` takes at the speed it begins
/// with. It begins at a time or at a distance along the path, one of which is there.
struct LaneChange {
  std::optional<double> time;      // [s]
  std::optional<double> distance;  // [m]
  double offset = 0;               // to the left [m]
  double duration = 0;             // [s]
};

/// All but `points`, which are in the world, begin at the start in the direction of its heading.
struct PathSpec {
  PathKind kind = PathKind::kStraight;
  double radius = 0;  // circle: left + [m]
  std::vector<LaneChange> changes;
  double entry = 0;           // iso3888_1: way to the entry of section 1 [m]
  double vehicle_width = 0;   // iso3888_1: sets the lanes' widths [m]
  double vehicle_length = 0;  // iso3888_1: of the outline that must stay inside [m]
  double clearance = 0;       // iso3888_1: of the wanted line's flanks from the cones [m]
  std::vector<std::array<double, 2>> points;  // [m]
  bool is_closed = false;                     // points: from the last back to the first
};

struct SpeedSpec {
  SpeedKind kind = SpeedKind::kNone;  // none: neither throttle nor brake
  double target = 0;                  // hold; <= 0 in reverse gear, else >= 0 [m/s]
  Table profile;                      // profile: [s], [m/s], likewise
  Table throttle, brake;              // open: [s], 0 to 1
};

struct Driver {
  double sample_time = 0.01;  // commands are held as long [s]
  Range range = Range::kHigh;
  bool has_parking_brake = false;  // set all the time
  SteeringSpec steering;
  PathSpec path;
  SpeedSpec speed;
};

struct RunSetup {
  double duration = 0;            // [s]
  double step = 0.001;            // [s]
  double sample_interval = 0.01;  // [s]
  std::uint64_t seed = 1;
  RunMethod method = RunMethod::kMidpoint;
};

/// Ends the run before its duration is over.
struct StopCondition {
  StopKind kind = StopKind::kTime;
  /// speed_below [m/s]; roll_above [rad], either side; x_beyond [m] in the world; deviation_above
  /// [m] from the path, either side; wheel_lifted: how long one is without load [s]; time [s]
  double value = 0;
  double after = 0;  // not looked at before [s]
  StopOutcome outcome = StopOutcome::kEnds;
};

/// Where a scenario comes from: messages about it name places there.
struct ScenarioSource {
  std::string file;     // the name that messages show
  std::string text;     // the whole file
  Overrides overrides;  // put in before it, and the files that it names, were read
};

struct Scenario {
  ScenarioSource source;
  std::string name, about;
  VehicleSetup vehicle;
  TireSetup tire;
  Ground ground;
  Driver driver;
  RunSetup run;
  std::vector<StopCondition> stops;
  std::vector<figures::FigureRequest> figures;
  std::vector<std::string> notes;  // what it asks for and does not get
};

}  // namespace camber::scenario
