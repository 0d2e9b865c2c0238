#pragma once

#include <optional>
#include <string>
#include <vector>

#include "camber/multibody/compile.h"
#include "camber/multibody/loop_kinematics.h"

namespace camber::multibody {

/// The evolution of small disturbances of a state: x' = A x, where x has displacements, then
/// independent speeds y, both as differences from the undisturbed motion.
///
/// There is a displacement for each speed whose coordinate no loop determines: the independent
/// ones, and those that only rolling constrains. Ball and free joints have displacements in the
/// axes of their outer frame, so x is a vector although q is not. At rest A = [0 I; dy'/dq dy'/dy].
struct LinearizedMechanism {
  std::vector<std::string> states;  // "crank" and its speed "crank'"
  int displacement_count = 0;
  MatrixX<double> A;
  VectorX<double> y,
      y_dot;  // speeds and accelerations of the undisturbed motion; zero at an equilibrium
  std::vector<std::string> spinning = {};  // bodies of SpinAxes::kCarrier
};

/// The axes of a body on a free or ball joint that spins about its axis of symmetry, with nothing
/// attached that would spin along.
enum class SpinAxes {
  kBody,  // as of any other body: the coefficients hold for this moment and change with its rotation
  kCarrier,  // displacements, speeds and y_dot in axes that do not take part in the spin
};

/// Linearizes at q and v by dual numbers, exact to rounding; the loops must be nearly closed at q.
/// Driven joints keep their given motion: their accelerations are in v_dot_driven (null if nothing
/// is driven). Throws std::domain_error if there are no accelerations. Costs one evaluation of the
/// dynamics per kDirections states.
LinearizedMechanism linearize(const MechanismTree& mechanism, const Partition& partition,
                              const VectorX<double>& q, const VectorX<double>& v,
                              const VectorX<double>* v_dot_driven = nullptr,
                              SpinAxes spin_axes = SpinAxes::kBody);

struct EquilibriumResult {
  bool found = false;
  int iterations = 0;
  double acceleration = 0;  // largest remaining one [m/s^2], [rad/s^2]
  int farthest = -1;        // the speed whose coordinate moved farthest from the start
  double way = 0;           // of that coordinate [m], [rad]
  /// If the given partition became unsuitable during the search: the independent coordinates at q.
  std::optional<Partition> partition = {};
};

/// Moves q to an equilibrium, with driven joints unchanged: downhill in potential energy, so that
/// it leaves an unstable equilibrium for a stable one. A step that opens a loop is shortened, and
/// better independent coordinates are chosen where needed. Throws std::domain_error like
/// linearize() if there are no accelerations at the start.
EquilibriumResult find_equilibrium(const MechanismTree& mechanism, const Partition& partition,
                                   VectorX<double>* q);

}  // namespace camber::multibody
