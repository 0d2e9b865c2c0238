#pragma once

// A vehicle as the parameters of its templates: hardpoints, masses, springs. Points and axes are in
// the vehicle's frame V (x forward, y left, z up) in the design position; expand.h makes an
// ordinary mechanism of it.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "camber/math/types.h"
#include "camber/multibody/mechanism.h"
#include "camber/vehicle/shape.h"

namespace camber::vehicle {

/// A part's mass properties: center of mass and inertia about it, in V's axes.
struct Part {
  double mass = 0;                    // [kg]
  Vector3 center = Vector3::Zero();   // [m]
  Matrix3 inertia = Matrix3::Zero();  // [kg m^2]
};

enum class SuspensionType {
  kDoubleWishbone,        // arms with any axes, upright between ball joints
  kPlanarDoubleWishbone,  // [002]: all arms turn about the lower arm's axis; spindle on the upright
  kMcPherson,             // lower arm, strut with a ball at its top
  kTrailingArm,           // one arm that carries the wheel
};
const char* to_text(SuspensionType type);

/// Points at which the parts of a left corner meet. The type determines which of them are used.
struct Hardpoints {
  Vector3 wheel = Vector3::Zero();                                      // center
  Vector3 lower_front = Vector3::Zero(), lower_back = Vector3::Zero();  // hinge of the lower arm
  Vector3 lower_ball = Vector3::Zero();
  Vector3 upper_front = Vector3::Zero(), upper_back = Vector3::Zero(), upper_ball = Vector3::Zero();
  Vector3 tie_rod_inner = Vector3::Zero(), tie_rod_outer = Vector3::Zero();
  Vector3 spring_top = Vector3::Zero(), spring_bottom = Vector3::Zero();  // on chassis and arm
  Vector3 shock_top = Vector3::Zero(), shock_bottom = Vector3::Zero();
  Vector3 strut_top = Vector3::Zero(), strut_bottom = Vector3::Zero();  // McPherson's slide
  Vector3 arm_inner = Vector3::Zero(), arm_outer = Vector3::Zero();     // hinge of a trailing arm
};

/// All of them with their names in a file, for operations on each: mirroring, moving, checking.
struct NamedPoint {
  const char* name;
  Vector3* point;
};
std::vector<NamedPoint> all_points(Hardpoints* points);

/// Force over a length: stiffness, table and stops act on the same two points.
struct Spring {
  double free_length = 0;                 // [m]
  double stiffness = 0;                   // [N/m]
  double preload = 0;                     // [N] tension at free length
  std::optional<multibody::Table> table;  // [N] over [m], tension positive
  /// Stops push with `force` over the distance by which the length is below or above these.
  std::optional<double> bump_length, rebound_length;  // [m]
  std::optional<multibody::Table> stop;               // [N] over [m] of penetration
};

/// Other rates at the ends of a shock's stroke.
struct HydraulicStops {
  double shortest = 0, longest = 0;     // [m] of the shock's length, beyond which they act
  double over = 0;                      // [m] the way over which they take the place of the others
  double compression = 0, rebound = 0;  // [N s/m]
};

struct Shock {
  double compression = 0, rebound = 0;    // [N s/m]
  std::optional<multibody::Table> table;  // [N] over [m/s], lengthening positive; instead of these
  std::optional<HydraulicStops> stops;
};

struct AntiRollBar {
  double stiffness = 0;                // of the bar against twist [N m/rad]
  Vector3 pivot = Vector3::Zero();     // of its left arm, on the chassis [m]
  Vector3 arm_end = Vector3::Zero();   // where the drop link starts, on the left arm [m]
  Vector3 link_end = Vector3::Zero();  // where it ends, on the lower arm [m]
  double mass = 0;                     // [kg] of each half
};

/// Bushings instead of an arm's ideal hinge, about a frame at the hinge's middle with z along its
/// axis.
struct SoftHinge {
  Vector3 stiffness = Vector3::Zero(), damping = Vector3::Zero();                  // [N/m], [N s/m]
  Vector3 turning_stiffness = Vector3::Zero(), turning_damping = Vector3::Zero();  // [N m/rad], ...
};

/// A tire as a relaxed constraint (docs/theory/rolling-wheel.md, section 4), on the plane z = 0 of
/// the world: it has no slip stiffness, so it is for vehicles at rest or at very low speed.
struct RelaxedRolling {
  double friction = 0;    // coefficient
  double slip_speed = 0;  // [m/s] how sharp stiction is
};

struct Wheel {
  Part part;  // with spindle and tire; center at the wheel's center, moments about its own axes
  double radius = 0;                                    // unloaded [m]
  double vertical_stiffness = 0, vertical_damping = 0;  // of the tire [N/m], [N s/m]
  double camber = 0, toe = 0;                           // static [rad]; positive: top out, nose in
  std::optional<RelaxedRolling> tire;  // without one the wheel does not touch the ground
  double parking_brake = 0;            // [N m] what it holds; needs a tire
};

/// How an axle is to be while the vehicle is at rest (at_rest.h).
struct AtRest {
  double travel = 0;                  // of the wheels' centers above the design position [m]
  std::optional<double> camber, toe;  // [rad]; without a value as Wheel has it
};

struct Axle {
  std::string name;  // "front"
  SuspensionType type = SuspensionType::kDoubleWishbone;
  bool is_mirrored =
      true;  // the right corner is the left one in a mirror; else there is one corner
  Hardpoints points;
  Part lower_arm, upper_arm, upright, spindle, tie_rod, lower_shock, upper_shock, strut, arm;
  bool has_tie_rod_body = false;  // else a rod without mass
  bool has_shock_bodies = false;
  Spring spring;
  Shock shock;
  std::optional<AntiRollBar> anti_roll_bar;
  std::optional<SoftHinge> soft_lower_hinge, soft_upper_hinge;
  Wheel wheel;
  std::optional<AtRest> at_rest;
  std::string tire, right_tire;  // files of its tires; without right_tire both sides have `tire`
  /// Distance of two tires on each hub along the axis [m]; 0: one tire.
  double dual_spacing = 0;
};

/// The bodies of a corner, including those that its type does not have.
std::vector<Part*> all_parts(Axle* axle);

enum class SteeringType { kPitman, kRack };

struct SteeringColumn {
  double ratio = 0;  // steering wheel's angle over pitman arm's [1], or over rack's travel [rad/m]
  double stiffness = 0;  // [N m/rad]
  double damping = 0;    // [N m s/rad]
  double inertia = 0;    // of the steering wheel about its axis [kg m^2]
};

/// A further steered axle, by a rack that moves with the steering.
struct LinkedSteering {
  std::string axle;
  double ratio = 0;  // its rack's travel over that of the steering's rack [1] or pitman arm [m/rad]
  Part rack;
};

struct Steering {
  SteeringType type = SteeringType::kPitman;
  std::string axle;  // whose tie rods it moves
  Vector3 pitman_pivot = Vector3::Zero(), pitman_end = Vector3::Zero();
  Vector3 idler_pivot = Vector3::Zero(), idler_end = Vector3::Zero();
  Vector3 axis = Vector3::UnitZ();  // of pitman and idler
  Part pitman, idler, link, rack;
  double damping = 0;  // at the pitman or rack [N m s/rad], [N s/m]
  /// The pitman's angle or the rack's displacement as a function of t; else it is free to move.
  std::optional<symbolic::Expr> motion;
  std::optional<SteeringColumn> column;
  std::vector<LinkedSteering> linked;
};

struct Vehicle;

/// A trailer on a ball joint.
struct Trailer {
  std::shared_ptr<const Vehicle> vehicle;  // with a drawbar
  Vector3 hitch = Vector3::Zero();         // of the ball, in the towing vehicle's frame [m]
  /// From the towing vehicle's frame to the trailer's, in the design position.
  Vector3 offset() const;
};

struct Vehicle {
  std::string name;
  Part chassis;
  double height = 0;  // of V's origin above the ground at the start [m]
  std::vector<Axle> axles;
  std::optional<Steering> steering;
  Vector3 gravity = {0, 0, -9.81};  // [m/s^2]
  std::string equipment;            // its file; empty where the vehicle's file names none
  Shape shape;
  std::optional<Trailer> trailer;
  std::optional<Vector3> drawbar;  // where it is drawn as a trailer: the ball's center [m]
};

/// All axles, those of the trailer last, with names that start with "trailer_". Wheels are numbered
/// in this order, left before right.
std::vector<Axle> all_axles(const Vehicle& vehicle);

}  // namespace camber::vehicle
