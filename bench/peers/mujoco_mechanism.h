#pragma once

// A camber mechanism as a MuJoCo model, for tests and benchmarks.
//
// Trees of fixed, revolute, prismatic, cylindrical, universal, planar, spherical and free joints
// are MuJoCo's own, exactly. Screws and loops become equality constraints, which MuJoCo keeps
// softly: with impedance d it solves (A + R) f = aref - J a0, A = J M^-1 J^T, R = diag(A) (1 - d) /
// d, and d ends at 0.9999: accelerations of one loop at rest are off by some 1e-4, of 16 stacked
// four-bars by 1e-2. Nor does aref have the term -Jdot v, so that moving loops are off as a whole.
// forward() is mj_forward as it is, with the hardest settings that there are; forward_exactly()
// adds what is missing and agrees with Simbody to 1e-11 (test/peers_test.cc).

#include <memory>
#include <string>
#include <vector>

#include "bench/peers/spanning_tree.h"

namespace camber::bench {

class MujocoMechanism {
 public:
  /// Throws std::invalid_argument for what MuJoCo has not got: rolling, bushings, tables, preloads,
  /// friction, stops, prescribed motion.
  explicit MujocoMechanism(const multibody::Mechanism& mechanism);
  ~MujocoMechanism();

  /// How states and accelerations are ordered.
  const SpanningTree& tree() const;

  /// Keeps a state for forward(); gives its number.
  int add_state(const PeerState& state);

  /// mj_forward at that state: what a benchmark measures.
  void forward(int state);

  /// The same with Jdot v in the constraints, their stabilization off, and the solver's own
  /// compliance undone by repeating it with a corrected aref (method of multipliers).
  void forward_exactly(int state);

  /// d/dt of camber's speeds, from the last forward().
  VectorX<double> accelerations() const;
  Isometry3 pose(multibody::BodyIndex body) const;  // X_WB
  /// Largest violation of a constraint's position, and of J vdot = -Jdot v after forward_exactly().
  double constraint_error() const;
  double constraint_acceleration_error() const;
  int constraint_count() const;

  /// The model in MuJoCo's language: its file, then those that it includes.
  const std::vector<std::string>& files() const;
  static std::string version();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace camber::bench
