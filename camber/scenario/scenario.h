#pragma once

// Definition of a drive: vehicle, tires, ground, driver, duration, stop conditions and figures.
// Plain values in SI units and radians, as a file of kind "scenario" gives them
// (docs/manual/scenarios.md), in the types of the modules that use them; build_scenario.h makes a
// world and its drivers from them.
//
// A table of the file whose `kind` chooses between keys is a std::variant here, with a list of
// words in the order of its alternatives. To add a kind, add an alternative and its word here, and
// read_keys() for it in driver_table.cc.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "camber/autonomy/driver.h"
#include "camber/core/overrides.h"
#include "camber/dynamics/ground_contact.h"
#include "camber/dynamics/start.h"
#include "camber/figures/figure_request.h"
#include "camber/integrate/fixed_step.h"
#include "camber/scenario/autonomy_setup.h"
#include "camber/sensors/sensor_spec.h"
#include "camber/terrain/bump.h"
#include "camber/world/moving_thing.h"

namespace camber::scenario {

// --- Words of a file, in the order of the enumerators ---

enum class VehicleLevel { kFull, kSingleTrack, kPointMass };
inline constexpr std::string_view kVehicleLevelWords[] = {"full", "single_track", "point_mass"};

enum class Formulation { kGenerated, kCe, kTa, kFa };
inline constexpr std::string_view kFormulationWords[] = {"generated", "ce", "ta", "fa"};

enum class TireModel { kTmeasy, kFiala, kBrush, kMagicFormula, kRigid, kRelaxedRolling };
inline constexpr std::string_view kTireModelWords[] = {"tmeasy",        "fiala", "brush",
                                                       "magic_formula", "rigid", "relaxed_rolling"};

inline constexpr std::string_view kContactModeWords[] = {"point", "four_points", "envelope"};

enum class SoilLevel { kRigid, kLumped, kGrid };
inline constexpr std::string_view kSoilLevelWords[] = {"rigid", "lumped", "grid"};

enum class StopKind { kSpeedBelow, kRollAbove, kXBeyond, kDeviationAbove, kWheelLifted, kTime };
inline constexpr std::string_view kStopKindWords[] = {
    "speed_below", "roll_above_deg", "x_beyond", "deviation_above", "wheel_lifted", "time"};

enum class StopOutcome { kEnds, kFails };
inline constexpr std::string_view kStopOutcomeWords[] = {"ends", "fails"};

/// The word for a value in a file.
template <class Enum, std::size_t N>
std::string_view word_of(Enum value, const std::string_view (&words)[N]) {
  return words[static_cast<std::size_t>(value)];
}

/// Methods of a drive: midpoint rule and classical Runge-Kutta.
inline constexpr std::string_view kMethodWords[] = {"midpoint", "rk4"};
inline std::string_view word_of(integrate::FixedStep method) {
  return kMethodWords[method == integrate::FixedStep::kRungeKutta4 ? 1 : 0];
}

inline constexpr std::string_view kAssistWords[] = {"abs", "tcs", "esc"};

// --- Vehicle, tires, ground ---

/// A mass fixed to the chassis.
struct Payload {
  double mass = 0;                // [kg]
  std::array<double, 3> at = {};  // in the vehicle's frame [m]
};

struct VehicleSetup {
  std::string model;      // path of a file of kind "vehicle"
  std::string equipment;  // path of a file of kind "equipment"; empty: that of the vehicle's file
  VehicleLevel level = VehicleLevel::kFull;
  Formulation formulation = Formulation::kGenerated;
  /// The scenario names the formulation; otherwise build_scenario() takes "ce" for vehicles without
  /// generated code.
  bool has_formulation = false;
  std::vector<Payload> payload;
  /// Controllers beside those of the equipment, with their usual figures: words of kAssistWords.
  std::vector<std::string> assist;
  /// Height of the center of mass of the whole vehicle without payload above the ground, in the
  /// design position [m]: the chassis' center of mass is moved up or down to get there. Empty: as
  /// the model has it.
  std::optional<double> center_of_mass_height;
  dynamics::Start start;
};

struct TireSetup {
  TireModel model = TireModel::kTmeasy;
  bool has_model = false;  // the scenario names the model; otherwise it is that of the tire's file
  /// Path of a file of kind "tire", or of a .tir file of the Magic Formula; empty: the tires that
  /// the vehicle's file names.
  std::string file;
  dynamics::ContactMode contact = dynamics::ContactMode::kPoint;
  /// For relaxed rolling: friction force over load, and the slip that takes all of it to stop at
  /// once [m/s].
  double friction = 0.8, slip_speed = 0.5;
};

struct Ground {
  std::string terrain;         // path of a file of kind "terrain"; empty: a plane
  std::string city;            // path of a file of kind "city", instead of a terrain
  double friction = 1;         // factor on the friction of the tires
  double slope = 0;            // of the plane: rise over run [1]
  double slope_heading = 0;    // direction uphill, from x to the left [rad]
  std::string soil = "rigid";  // of the plane: "rigid" or a name of the soil library
  SoilLevel soil_level = SoilLevel::kRigid;
  double soil_spacing = 0.04;        // between the nodes of a soil grid [m]
  bool has_bearing_limit = false;    // its pressure is at most Terzaghi's bearing capacity
  std::vector<terrain::Bump> bumps;  // on top of plane or terrain
};

// --- Driver ---

/// A steering law without the vehicle's own numbers (wheelbase, mass, cornering stiffness), which
/// build_driver() fills in. Angles are the mean of the front wheels', left +.
using SteeringRequest =
    std::variant<autonomy::SteerStraight, autonomy::SteerTable, autonomy::SteerStep,
                 autonomy::SteerRamp, autonomy::SteerSine, autonomy::SteerSineWithDwell,
                 autonomy::PurePursuit, autonomy::Stanley, autonomy::PreviewFigures,
                 autonomy::MpcFigures>;
inline constexpr std::string_view kSteeringWords[] = {
    "none",         "table",   "step",    "ramp", "sine", "sine_with_dwell",
    "pure_pursuit", "stanley", "preview", "mpc"};

/// Positions of the selector, in the order of kSelectorWords, as Command::selector has them.
inline constexpr std::string_view kSelectorWords[] = {"P", "R", "N", "D"};
inline constexpr int kSelectorChoices[] = {3, -1, 2, 1};

/// Neither throttle nor brake.
struct NoPedals {};
struct HoldSpeed {
  double target = 0;  // <= 0 in reverse gear, else >= 0 [m/s]
};
/// Speeds of a profile over time are <= 0 in reverse gear, else >= 0.
using SpeedRequest = std::variant<NoPedals, HoldSpeed, autonomy::SpeedProfile, autonomy::Pedals>;
inline constexpr std::string_view kSpeedWords[] = {"none", "hold", "profile", "open"};

struct StraightPath {};
struct CirclePath {
  double radius = 0;  // left + [m]
};
/// A move to another lane with minimum jerk, over the distance that `duration` takes at the initial
/// speed. It starts at a time or at a distance along the path; exactly one of them is given.
struct LaneChange {
  std::optional<double> time;      // [s]
  std::optional<double> distance;  // [m]
  double offset = 0;               // to the left [m]
  double duration = 0;             // [s]
};
struct LaneChangePath {
  std::vector<LaneChange> changes;
};
/// The double lane change of ISO 3888-1, or of part 2.
struct Iso3888Path {
  int part = 1;
  double entry = 0;           // distance from the start to the entry of section 1 [m]
  double vehicle_width = 0;   // sets the widths of the lanes [m]
  double vehicle_length = 0;  // of the outline that must stay inside [m]
  double clearance = 0;       // of the target line's flanks from the cones [m]
};
struct Iso3888Part2Path : Iso3888Path {
  Iso3888Part2Path() : Iso3888Path{.part = 2} {}
};
/// Points in the world.
struct PointPath {
  std::vector<std::array<double, 2>> points;  // [m]
  bool is_closed = false;                     // from the last point back to the first
};
/// The reference line of the ground's OpenCRG road.
struct RoadPath {
  double offset = 0;  // to the left [m]
};
/// All paths except points and roads start at the vehicle's start, in the direction of its heading.
using PathRequest = std::variant<StraightPath, CirclePath, LaneChangePath, Iso3888Path,
                                 Iso3888Part2Path, PointPath, RoadPath>;
inline constexpr std::string_view kPathWords[] = {"straight",  "circle", "lane_change", "iso3888_1",
                                                  "iso3888_2", "points", "road"};
/// The course between cones, of either part; null for other paths.
const Iso3888Path* find_course(const PathRequest& path);

struct Driver {
  double sample_time = 0.01;       // commands are held for this time [s]
  bool has_parking_brake = false;  // set all the time
  SteeringRequest steering;
  /// Limits of the driver; empty: the vehicle's lock, and the default of autonomy::SteeringLimits.
  std::optional<double> max_angle, max_rate;  // [rad], [rad/s]
  /// From then on the driver lets go of the steering wheel [s], or turns it by this torque over time
  /// [N m], left +; empty: never.
  std::optional<double> hands_off_after;
  autonomy::Table steering_torque;
  PathRequest path;
  SpeedRequest speed;
  /// Angles and rates of open-loop steering are those of the steering wheel.
  bool has_wheel_angles = false;
  std::optional<autonomy::OpenLoop> open_loop;
  std::vector<autonomy::TimedChoice> gears, selectors;  // as autonomy::DriverSetup
};

/// Whether the law needs a path.
bool follows_path(const SteeringRequest& steering);

/// The word for the kind of steering, speed or path in a file.
template <class Variant, std::size_t N>
std::string_view kind_of(const Variant& request, const std::string_view (&words)[N]) {
  static_assert(N == std::variant_size_v<Variant>);
  return words[request.index()];
}

// --- Run, stops ---

struct RunSetup {
  double duration = 0;            // [s]
  double step = 0.001;            // [s]
  double sample_interval = 0.01;  // [s]
  std::uint64_t seed = 1;
  integrate::FixedStep method = integrate::FixedStep::kMidpoint;
};

/// What the log has beside the usual channels.
struct LogSetup {
  struct Accelerometer {
    std::string name;            // a word
    std::string body;            // as the vehicle's mechanism names it
    std::array<double, 3> at{};  // [m] in its frame, which is the vehicle's in the design position
  };
  bool has_forces = false;  // of springs, shocks, bars, rods and joints
  std::vector<Accelerometer> accelerometers;
};

/// Ends the run before its duration is over.
struct StopCondition {
  StopKind kind = StopKind::kTime;
  /// speed_below [m/s]; roll_above [rad], either side; x_beyond [m] in the world; deviation_above
  /// [m] from the path, either side; wheel_lifted: time without load [s]; time [s]
  double value = 0;
  double after = 0;  // the condition is not checked before this time [s]
  StopOutcome outcome = StopOutcome::kEnds;
};

/// The source of a scenario: messages name places in it.
struct ScenarioSource {
  std::string file;       // the name that messages show
  std::string text;       // the whole file
  Overrides overrides;    // applied before the scenario, and the files that it names, were read
  std::string name = {};  // of one of the other vehicles, whose tables this is about; else empty
  int other = -1;         // its index among them
};

/// A further vehicle in the same world, with its own driver: [[other]].
struct OtherVehicle {
  std::string name;  // a word: channels, messages and overrides have it
  VehicleSetup vehicle;
  TireSetup tire;
  Driver driver;
  Overrides overrides;  // of the files that it names
};

struct Scenario {
  ScenarioSource source;
  std::string name, about;
  VehicleSetup vehicle;
  TireSetup tire;
  Ground ground;
  Driver driver;
  RunSetup run;
  LogSetup log;
  std::vector<StopCondition> stops;
  std::vector<figures::FigureRequest> figures;
  std::vector<sensors::SensorSpec> sensors;  // on the vehicle
  std::vector<OtherVehicle> others;
  std::vector<world::MovingThing> things;
  std::optional<AutonomySetup> autonomy;  // in place of the driver's steering, path and speed
};

/// One of the other vehicles as a scenario of its own: on the same ground, for the same time, without
/// stop conditions, figures and sensors.
Scenario make_other_scenario(const Scenario& scenario, std::size_t other);

}  // namespace camber::scenario
