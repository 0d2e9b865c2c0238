#pragma once

#include <optional>
#include <string>
#include <vector>

#include "camber/multibody/compile.h"
#include "camber/multibody/loop_kinematics.h"

namespace camber::multibody {

/// How small disturbances of a state go on: x' = A x, where x is displacements and then independent
/// speeds y, both as differences from the undisturbed motion.
///
/// A displacement belongs to each speed whose coordinate no loop determines: the independent ones,
/// and those that only rolling ties. Ball and free joints have displacements in the axes of their
/// outer frame, so that q is no vector there but x is one. At rest A = [0 I; dy'/dq dy'/dy].
struct LinearizedMechanism {
  std::vector<std::string> states;  // "crank" and its speed "crank'"
  int displacement_count = 0;
  MatrixX<double> A;
  VectorX<double> y, y_dot;  // of the undisturbed motion; both zero at an equilibrium
};

/// At q and v by dual numbers, exact to rounding; the loops must be closed at q nearly. Driven
/// joints go on as they do: their accelerations are in v_dot_driven (null where nothing is driven).
/// Throws std::domain_error where there are no accelerations. Costs one evaluation of the dynamics
/// per kDirections states.
LinearizedMechanism linearize(const MechanismTree& mechanism, const Partition& partition,
                              const VectorX<double>& q, const VectorX<double>& v,
                              const VectorX<double>* v_dot_driven = nullptr);

struct EquilibriumResult {
  bool found = false;
  int iterations = 0;
  double acceleration = 0;  // largest one that is left [m/s^2], [rad/s^2]
  int farthest = -1;        // the speed whose coordinate went farthest from the start
  double way = 0;           // of that coordinate [m], [rad]
  /// Where the coordinates of the given one ended on the way: the independent ones at q.
  std::optional<Partition> partition = {};
};

/// Moves q to where everything stays at rest, driven joints where they are: downhill in potential
/// energy, so that from near an unstable equilibrium it goes to a stable one. A step that opens a
/// loop is shortened, and other coordinates are taken where there are better ones. Throws
/// std::domain_error as linearize() does where there are no accelerations at the start.
EquilibriumResult find_equilibrium(const MechanismTree& mechanism, const Partition& partition,
                                   VectorX<double>* q);

}  // namespace camber::multibody
