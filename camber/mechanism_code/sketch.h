#pragma once

// A sketch is a mechanism redrawn for code generation: the base (chassis) and the links attached to
// it, directly or through other links. All positions and directions are in the axes of the base, in
// one reference configuration with closed loops. docs/theory/generated.md has the derivation, and
// vehicle_program.h shows where the sketch belongs among the steps.
//
// The role of a link tells how its place follows from those of other links. A double wishbone is
// drawn like this (c is the origin of a link, on its joint):
//
//   lower arm    kTurn       independent: rotates by its own coordinate y
//   upper arm    kMover      rotates about its chassis hinge until its ball joint P is at the
//                            upright's distance `length` from the lower ball joint Q
//   upright      kBall       points its P at the upper arm's ball joint Q, then spins about that
//                            line until its steering arm P2 is at the tie rod's length `length2`
//                            from the rack end Q2
//   tie rod      kUniversal  points its P at the steering arm Q, without spin
//   strut        kAimer      rotates until P is in the direction of Q; its slide (kStretch)
//                            extends until the distance is right
//   wheel        kGyrostat   only its axis and its spin matter, because it is axisymmetric
//
// Two solutions are possible where a distance is to be met; `branch` (+1 or -1) selects the one of
// the reference configuration, `branch2` that of P2 and Q2.

#include <optional>
#include <string>
#include <vector>

#include "camber/math/types.h"
#include "camber/multibody/dynamics.h"

namespace camber::mechanism_code {

/// How the place of a link follows from the links before it.
enum class Role {
  kStill,           // the base, and links fixed to it
  kTurn,            // independent: rotates about z of its frame
  kSlide,           // independent: moves along `axis`
  kMover,           // rotates until its point P is at distance `length` from Q
  kAimer,           // rotates until P coincides with Q, whose distance is already right
  kStretch,         // slides until P is as far from its aimer's joint as Q
  kBall,            // points P at Q, then spins until P2 is at distance `length2` from Q2
  kUniversalInner,  // the massless link of a universal joint
  kUniversal,       // points P at Q without spin relative to the link that carries it
  kCoupled,         // rotates by a sum of other coordinates
  kCoupledSlide,    // moves along `axis` by a sum of other coordinates
  kGyrostat,        // an axisymmetric wheel: only its spin and its axis matter
};

/// A point on a link, where it is in the reference configuration.
struct SketchPoint {
  int link = 0;
  Vector3 p = Vector3::Zero();  // [m] in the base's axes, from its origin
};

/// mass, center and second moments (integral of r r^T dm about the center), in the base's axes.
struct Moments {
  double mass = 0;
  Vector3 center = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  /// Only for a link on an axis of the base, which has taken its mass: first moments about the
  /// point `center` of that axis; `second` has the second moments about it.
  Vector3 first = Vector3::Zero();
};

struct SketchLink {
  Role role = Role::kStill;
  std::string name;
  int parent = 0;
  /// The model's own frame in the reference configuration.
  Isometry3 X_model = Isometry3::Identity();
  Matrix3 R = Matrix3::Identity();      // the frame used here
  Vector3 o = Vector3::Zero();          // its origin
  Vector3 axis = Vector3::UnitZ();      // of rotation or sliding
  bool is_planar = false;               // rotates about an axis that is fixed in the base: `basis`
  Matrix3 basis = Matrix3::Identity();  // then: x and y normal to the axis, and the axis
  int q = -1, v = -1;                   // places of its coordinate and speed in the tree's
  double sign = 1, q_ref = 0;           // rotation from the reference = sign (q - q_ref)
  SketchPoint P, Q, P2, Q2;             // P and P2 on this link or its slide, Q and Q2 on others
  std::optional<double> length, length2;  // |P - Q| and |P2 - Q2|; none: given by the target
  bool is_flat = false;            // its loop is planar: distances are measured normal to the axis
  double branch = 1, branch2 = 1;  // which of two solutions
  int aimer = -1;                  // kStretch: the link that aims
  int row = -1;                    // kCoupled, kCoupledSlide: in Model::rows
  Moments body;
  std::optional<SketchPoint> anchor;  // a point of this link that also belongs to another link
  std::vector<int> movers;            // coordinates y that move it
  int y = -1;                         // its own coordinate, if independent
  double axial_inertia = 0;           // of a kGyrostat
  bool is_unround_wheel = false;      // a wheel that is not axisymmetric
};

/// Coordinates that are eliminated together, and the parts that they move.
struct Group {
  std::vector<int> own;     // coordinates y
  std::vector<int> shared;  // coordinates y of another group that also move some of its links
  std::vector<int> links, springs, axes, gyrostats, unround_wheels, bushings, wrenches;
  std::string name;
};

struct Sketch {
  std::string name;
  int base = 0;  // link; 0: fixed in the world
  std::vector<SketchLink> links;
  std::vector<Group> groups;        // groups that lend coordinates to others come first
  int ny = 0;                       // independent coordinates
  int given = 0;                    // coordinates after them whose motion is given
  std::vector<int> v_of_y, q_of_y;  // places in the tree's coordinates; q: -1 for the base's
  Moments body;                     // of the base
  multibody::MechanismTree mechanism;
  Matrix3 R_PF = Matrix3::Identity();  // of the base's joint on the world
  Vector3 p_PF = Vector3::Zero();
};

/// The same point on the innermost link that contains it: points on the axis of a rotating link
/// also belong to its parent.
SketchPoint innermost(const Sketch& sketch, SketchPoint point);

/// The same sketch in axes rotated by Q: a vector x becomes Q^T x.
Sketch turned(const Sketch& sketch, const Matrix3& Q);

/// Axes Q such that planar links moved only by these coordinates rotate about one of the axes. The
/// identity if the links are not planar, or if the base's own axes already have this property.
Matrix3 find_plane(const Sketch& sketch, const std::vector<int>& coordinates);

/// Whether all axes of a basis are axes of the base.
bool is_aligned(const Matrix3& basis);

/// What becomes of the mechanism's wrenches: those that a drive adds as places for its loads are not
/// part of the code.
enum class Wrenches { kTraced, kIgnored };

/// Throws std::invalid_argument naming the part that cannot be generated and the reason.
Sketch make_sketch(const multibody::MechanismDynamics& dynamics,
                   Wrenches wrenches = Wrenches::kTraced);

}  // namespace camber::mechanism_code
