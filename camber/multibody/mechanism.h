#pragma once

// A mechanism as a person describes it: bodies, joints, loop-closing elements, forces. Plain data;
// compile.h turns it into the tree that the algorithms run on, and checks it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "camber/core/index.h"
#include "camber/math/types.h"
#include "camber/multibody/relaxation.h"
#include "camber/symbolic/expr.h"

namespace camber::multibody {

using BodyIndex = Index<struct BodyTag>;
using JointIndex = Index<struct JointTag>;

/// Body 0 is the world, W.
inline constexpr BodyIndex kWorld{0};

/// A rigid body with its frame B.
struct Body {
  std::string name;
  double mass = 0;                      // [kg]
  Vector3 p_BoBcm_B = Vector3::Zero();  // center of mass [m]
  Matrix3 I_BBcm_B = Matrix3::Zero();   // inertia about the center of mass [kg m^2]
};

/// A joint lets frame M on the child move relative to frame F on the parent.
enum class JointType {
  kFixed,
  kRevolute,     // rotates about z of F; q = angle [rad]
  kPrismatic,    // slides along z of F; q = distance [m]
  kScrew,        // rotates about z and moves pitch * angle along it; q = angle
  kCylindrical,  // rotates about z and slides along it; q = (angle, distance)
  kUniversal,    // rotates about x of F, then about the rotated y; q = (angle, angle)
  kPlanar,       // slides along x and y of F, then rotates about z; q = (distance, distance, angle)
  kSoftHinge,    // slides along x, y, z of F, rotates about x, the new y and, last, z; q = (three
                 // distances, three angles), of which the second stays below a right angle: for a
                 // body that bushings hold about z
  kSpherical,  // q = unit quaternion (w, x, y, z) of M in F; v = angular velocity of M in F, in M's
               // axes
  kFree,  // q = quaternion, then position of Mo in F; v = (angular velocity, velocity of Mo), in
          // M's axes
  // compile() replaces spherical and free joints with a given motion by:
  kSphericalAngles,  // rotates about x of F, the new y and, last, z; q = three angles
  kFreeAngles,       // slides along x, y, z of F first; q = (three distances, three angles)
};

int position_count(JointType type);  // entries in q
int speed_count(JointType type);     // entries in v: the joint's degrees of freedom
const char* to_text(JointType type);

/// Forces along one speed of a joint. The elastic parts need a coordinate and so exist for all
/// joints except spherical and free ones, whose axes allow damping and motions only.
struct JointAxis {
  double stiffness = 0;          // [N/m] or [N m/rad]
  double rest = 0;               // coordinate without spring force [m] or [rad]
  double damping = 0;            // [N s/m] or [N m s/rad]
  double friction = 0;           // Coulomb force or torque [N] or [N m]
  double friction_speed = 1e-3;  // below this it fades linearly to zero at rest [m/s] or [rad/s]
  std::optional<double> lower, upper;  // beyond these the stop pushes back [m] or [rad]
  double stop_stiffness = 0;           // [N/m] or [N m/rad]
  double stop_damping = 0;             // acts only while pressing [N s/m] or [N m s/rad]
  double force = 0;                    // constant [N] or [N m]
  /// The prescribed coordinate as a function of the symbol t: 0.3*sin(2*t). The axis follows it
  /// with whatever force is needed. The axes of a spherical joint with a motion are then rotations
  /// about x of F, the new y and the new z, and those of a free joint also translations along x, y
  /// and z of F.
  std::optional<symbolic::Expr> motion;
};

struct Joint {
  std::string name;
  JointType type = JointType::kFixed;
  BodyIndex parent = kWorld, child = kWorld;
  Isometry3 X_PF = Isometry3::Identity();  // F on the parent
  Isometry3 X_BM = Isometry3::Identity();  // M on the child
  double pitch = 0;                        // screw: [m/rad]
  std::vector<JointAxis> axes;             // one per speed, or none
  std::vector<double> q0, v0;              // initial guess; empty: zeros and the identity
  bool cut = false;                        // where a loop has to be cut, cut it here
  Relaxation relaxation = {};              // only for a joint that closes a loop; weight only
};

/// Keeps two points at a distance.
struct Rod {
  std::string name;
  BodyIndex a = kWorld, b = kWorld;
  Vector3 p_AP_A = Vector3::Zero(), p_BQ_B = Vector3::Zero();  // [m]
  double length = 0;                                           // [m] > 0
  Relaxation relaxation = {};
};

/// Keeps sum of factor * coordinate = offset: gears, racks, synchronized axes.
struct Coupler {
  struct Term {
    JointIndex joint;
    int axis = 0;
    double factor = 0;
  };
  std::string name;
  std::vector<Term> terms;
  double offset = 0;
  Relaxation relaxation = {};
};

/// A wheel (a circle with its axis) that rolls without slipping on a plane of another body. It
/// stays on the plane, or, if it has a stiffness, is pressed against it like a tire and may lift
/// off.
struct Rolling {
  std::string name;
  BodyIndex wheel = kWorld, ground = kWorld;
  Vector3 p_BC_B = Vector3::Zero();     // wheel center on the wheel [m]
  Vector3 axis_B = Vector3::UnitY();    // spin axis on the wheel
  double radius = 0;                    // [m] > 0
  Vector3 p_GP_G = Vector3::Zero();     // a point of the plane on the ground body [m]
  Vector3 normal_G = Vector3::UnitZ();  // its normal, toward the wheel
  double stiffness = 0;                 // [N/m] 0: rigid; else it needs friction
  double damping = 0;                   // [N s/m] while it is pressed
  Relaxation relaxation = {};           // of its slip
};

/// Force over deflection or over rate, piecewise linear, extended along its end segments.
struct Table {
  std::vector<double> x, y;  // x increasing, at least two
};

/// The end zones of a damper's stroke: beyond these lengths another table gradually replaces its
/// own, over a short distance, so that the force does not jump.
struct DamperEnds {
  double shortest = 0, longest = 0;  // [m]
  double over = 0;                   // [m]
  Table damper;                      // [N] over [m/s]
};

/// A spring and damper between two points; tension is positive in force(), which pulls the points
/// together: F = stiffness (l - free_length) + spring(l - free_length) + damping l' + damper(l') +
/// preload.
struct SpringDamper {
  std::string name;
  BodyIndex a = kWorld, b = kWorld;
  Vector3 p_AP_A = Vector3::Zero(), p_BQ_B = Vector3::Zero();  // [m]
  double free_length = 0;                                      // [m]
  double stiffness = 0;                                        // [N/m]
  double damping = 0;                                          // [N s/m]
  double preload = 0;                                          // [N]
  std::optional<Table> spring;                                 // [N] over [m]
  std::optional<Table> damper;                                 // [N] over [m/s]
  std::optional<DamperEnds> ends;  // end zones of the damper's stroke, with another table
};

/// A soft joint: force and torque of frame Q on b relative to frame P on a, linear in displacement
/// and small rotation vector (both expressed in P) and their rates. Order [rotation; translation].
struct Bushing {
  std::string name;
  BodyIndex a = kWorld, b = kWorld;
  Isometry3 X_AP = Isometry3::Identity(), X_BQ = Isometry3::Identity();
  Matrix6 stiffness = Matrix6::Zero();
  Matrix6 damping = Matrix6::Zero();
};

/// A constant force and torque on a body.
struct Wrench {
  std::string name;
  BodyIndex body = kWorld;
  Vector3 p_BQ_B = Vector3::Zero();  // where the force acts [m]
  Vector3 force = Vector3::Zero();   // [N]
  Vector3 torque = Vector3::Zero();  // [N m]
  bool in_world = true;              // expressed in W, or in the body's axes
};

struct Mechanism {
  std::string name;
  std::vector<Body> bodies = {Body{"world"}};
  std::vector<Joint> joints;  // of the tree and of the loops alike
  std::vector<Rod> rods;
  std::vector<Coupler> couplers;
  std::vector<Rolling> rollings;
  std::vector<SpringDamper> springs;
  std::vector<Bushing> bushings;
  std::vector<Wrench> wrenches;
  Vector3 gravity = {0, 0, -9.81};  // [m/s^2] in W
  /// Coordinates to keep as the independent ones, by name ("crank" or "knuckle.1"); empty: camber
  /// chooses.
  std::vector<std::string> independent;

  BodyIndex add(Body body);
  JointIndex add(Joint joint);
  /// Invalid if there is none of this name.
  BodyIndex find_body(std::string_view body_name) const;
  JointIndex find_joint(std::string_view joint_name) const;
};

/// "crank", or "knuckle.1" for the second axis of a joint with several.
std::string axis_name(const Joint& joint, int axis);

/// Problems of the description itself, one entry each: names, impossible masses or inertias,
/// references to missing parts. `object` names the part ("body crank"), `key` the field.
struct MechanismProblem {
  enum class Part {
    kMechanism,
    kBody,
    kJoint,
    kRod,
    kCoupler,
    kRolling,
    kSpring,
    kBushing,
    kWrench
  };
  Part part = Part::kMechanism;
  int index = 0;     // in the part's list
  std::string key;   // "mass", "child", ...
  std::string text;  // "must be > 0 kg, got -3"
};
std::vector<MechanismProblem> find_problems(const Mechanism& mechanism);

/// Throws std::invalid_argument with all problems.
void check(const Mechanism& mechanism);

}  // namespace camber::multibody
