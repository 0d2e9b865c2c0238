#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "camber/lagrange/geometry.h"
#include "camber/symbolic/substitute.h"

namespace camber::lagrange {

/// A rigid body: where it is, how heavy, and its inertia about the center of mass in the axes of
/// the frame.
struct Body {
  std::string name;
  Frame frame;
  Vector3 center_of_mass = Vector3::Zero();  // [m] in the frame
  Expr mass;                                 // [kg]
  Matrix3 inertia =
      Matrix3::Zero();  // [kg m^2] the tensor's elements: (0, 2) is -integral of x z dm
};

/// 001's make_BODY: moments, then optional products, entered as elements of the tensor.
Body make_body(std::string name, const Point& center_of_mass, const Expr& mass, const Expr& Ix,
               const Expr& Iy, const Expr& Iz, const Expr& Cyz = 0, const Expr& Cxz = 0,
               const Expr& Cxy = 0);

/// A force on a body at a point, with the opposite force on another body or on the ground. The
/// point may move in both: at each moment the force acts on the material points that are there.
struct Force {
  std::string name;
  Vector force;
  Point point;
  Frame acting;
  Frame reacting;  // the ground unless given
};

struct Torque {
  std::string name;
  Vector torque;
  Frame acting;
  Frame reacting;
};

/// The same force or torque with its components in another frame.
Force project(const Force& force, const Frame& frame);
Torque project(const Torque& torque, const Frame& frame);

/// A load given by its effect on one speed: the torque of a joint, a control on a coordinate.
struct GeneralizedForce {
  std::string name;
  Expr speed;
  Expr value;
};

/// A load that derives from a potential, such as a spring between coordinates.
struct Potential {
  std::string name;
  Expr energy;  // [J] in coordinates, parameters and time
};

struct Constraint {
  enum class Kind {
    kHolonomic,     // f(q, t) = 0
    kNonholonomic,  // f(q, q', t) = 0, linear in the speeds
  };
  std::string name;
  Expr expression;
  Kind kind = Kind::kHolonomic;
  /// Holonomic constraints only: the time derivative in terms of speeds, if the analyst knows a
  /// shorter form than differentiation gives, such as a component of w x axis. 0: differentiate.
  Expr rate = 0;
};

/// A variable of its own with the equation that determines it (001 eq. 8): tire relaxation, a
/// controller, an actuator. The equation is differential when the variable's derivative occurs,
/// else algebraic.
struct ExtraVariable {
  Expr variable;
  Expr equation;  // = 0
};

struct Parameter {
  Expr symbol;
  Expr value;  // a number, or an expression in other parameters
};

struct Output {
  std::string name;
  Expr expression;
};

/// The model as an analyst describes it: coordinates, bodies, forces, constraints and so on.
struct System {
  std::string name;
  std::vector<Expr> coordinates;  // q: variables of order 0
  /// Speeds u that the equations are written for: q' of each coordinate, unless base() replaced
  /// some by quasi-velocities. Then `rates` has q' in terms of u.
  std::vector<Expr> speeds;
  symbolic::Substitution rates;
  std::vector<Body> bodies;
  std::vector<Force> forces;
  std::vector<Torque> torques;
  std::vector<GeneralizedForce> generalized_forces;
  std::vector<Potential> potentials;
  Vector3 gravity = Vector3::Zero();  // [m/s^2] acceleration, in the ground's axes
  std::vector<Constraint> constraints;
  std::vector<ExtraVariable> extra;
  std::vector<Parameter> parameters;
  std::vector<Expr> inputs;  // variables or symbols
  std::vector<Output> outputs;
  Expr time = symbolic::symbol("t");

  /// Adds coordinates with their rates as speeds.
  Expr add_coordinate(std::string_view name);
  /// A free body with body-fixed velocities NAME.wx ... NAME.vz as speeds (003 eq. 2-18): `pose`
  /// contains the six coordinates, whose rates follow from q' = T^-1 u, solved here (a singular
  /// attitude fails when evaluated).
  Frame add_base(std::string_view name, const Frame& pose,
                 const std::vector<Expr>& pose_coordinates);
};

}  // namespace camber::lagrange
