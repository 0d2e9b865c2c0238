#pragma once

// A vehicle as its generated code sees it: the base (chassis) and, hung on it, links in frames that
// suit the equations, all in the axes of the base and in one configuration with closed loops.
// docs/theory/generated.md has the derivation.

#include <optional>
#include <string>
#include <vector>

#include "camber/math/types.h"
#include "camber/multibody/dynamics.h"

namespace camber::mechanism_code {

/// How a link's motion follows from what moves before it.
enum class Role {
  kStill,           // the base, and what is fixed to it
  kTurn,            // independent: turns about z of its frame
  kSlide,           // independent: moves along `axis`
  kMover,           // turns until its point P is at a distance from Q
  kAimer,           // turns until P is where Q is, the distance being right
  kStretch,         // slides until P is as far from its aimer's joint as Q
  kBall,            // points P at Q, then spins until P2 is at a distance from Q2
  kUniversalInner,  // the massless link of a universal joint
  kUniversal,       // points P at Q without spin against the link that carries it
  kCoupled,         // turns by a sum of other coordinates
  kGyrostat,        // a wheel that is round: only its spin and its axis matter
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
  /// Of a link that turns about an axis of the base, which has taken its mass: first and, in
  /// `second`, second moments about the point `center` of that axis.
  Vector3 first = Vector3::Zero();
};

struct SketchLink {
  Role role = Role::kStill;
  std::string name;
  int parent = 0;
  Isometry3 X_model =
      Isometry3::Identity();            // the model's own frame in the reference configuration
  Matrix3 R = Matrix3::Identity();      // the frame used here
  Vector3 o = Vector3::Zero();          // its origin
  Vector3 axis = Vector3::UnitZ();      // of turning or sliding
  bool is_planar = false;               // turns about an axis that the base holds: `basis`
  Matrix3 basis = Matrix3::Identity();  // then: x and y normal to the axis, and the axis
  int q = -1, v = -1;                   // places of its coordinate and speed in the tree's
  double sign = 1, q_ref = 0;           // turn from the reference = sign (q - q_ref)
  SketchPoint P, Q, P2, Q2;
  std::optional<double> length, length2;  // of |P - Q| and |P2 - Q2|; none: |P - Q| that of target
  bool is_flat = false;                   // its loop is planar: distances count normal to the axis
  double branch = 1, branch2 = 1;
  int aimer = -1;  // of a kStretch link
  int row = -1;    // of a kCoupled link
  Moments body;
  std::optional<SketchPoint> anchor;  // the place of a point of this link as another one has it
  std::vector<int> movers;            // coordinates y that move it
  int y = -1;                         // its own, where independent
  double axial_inertia = 0;           // of a kGyrostat
  bool is_unround_wheel = false;      // like one, but for its moments
};

/// Coordinates that are eliminated together, and what they move.
struct Group {
  std::vector<int> own;     // y
  std::vector<int> shared;  // y that move some of its links, too
  std::vector<int> links, springs, axes, gyrostats, unround_wheels, bushings, wrenches;
  std::string name;
};

struct Sketch {
  std::string name;
  int base = 0;  // link; 0: fixed in the world
  std::vector<SketchLink> links;
  std::vector<Group> groups;        // those that others share coordinates with come first
  int ny = 0;                       // independent coordinates
  int given = 0;                    // behind them, those whose motion is given
  std::vector<int> v_of_y, q_of_y;  // places in the tree's coordinates; q: -1 for the base's
  Moments body;                     // of the base
  multibody::MechanismTree mechanism;
  Matrix3 R_PF = Matrix3::Identity();  // of the base's joint on the world
  Vector3 p_PF = Vector3::Zero();
};

/// The same point on the innermost link that holds it: a link turns about the points of its axis.
SketchPoint innermost(const Sketch& sketch, SketchPoint point);

/// The same in axes turned by Q: what was x is Q^T x.
Sketch turned(const Sketch& sketch, const Matrix3& Q);

/// Axes in which the links that these coordinates alone move turn about an axis of the frame, where
/// they are planar and the base's own axes are not such: else the identity.
Matrix3 find_plane(const Sketch& sketch, const std::vector<int>& coordinates);

/// Whether all axes of a basis are axes of the base.
bool is_aligned(const Matrix3& basis);

/// Throws std::invalid_argument that says which part cannot be generated and why.
Sketch make_sketch(const multibody::MechanismDynamics& dynamics);

}  // namespace camber::mechanism_code
