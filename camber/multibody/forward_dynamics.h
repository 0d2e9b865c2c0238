#pragma once

#include <vector>

#include "camber/multibody/loop_kinematics.h"

namespace camber::multibody {

/// A pivot smaller than this fraction of its diagonal entry is rounding error, that is, zero.
constexpr double kLostPivot = 1e-14;

/// Forces on the links: spatial forces about O in W, and forces along the joints' speeds.
template <class T>
struct Forces {
  explicit Forces(const Model<T>& model);

  /// Sets all forces to zero.
  void clear();
  void push(int link, const Spatial<T>& force) {
    F[link] += force;
    acts_on_links = true;
  }

  std::vector<Spatial<T>> F;   // on each link
  bool acts_on_links = false;  // false: all of F is zero and need not be read
  VectorX<T> tau;              // of each speed
};

/// Scratch and results of the recursion; sized once, one per thread.
template <class T>
struct ArticulatedBodies {
  ArticulatedBodies(const Model<T>& model, const Partition& partition);

  std::vector<SymMat6<T>> P;       // articulated inertia of each link
  std::vector<Spatial<T>> Z;       // articulated bias force
  std::vector<RigidInertia<T>> M;  // of each link that carries a rotor, rotor included
  /// For each independent speed, after those before it are eliminated: gain P H / D, 1 / D, and the
  /// remaining force along it over D. [002]: G, D^-1, nu.
  std::vector<Spatial<T>> K;
  std::vector<T> D_inverse, nu;
  /// Acceleration of each link, in addition to that for v' = g; in a cluster only for links that
  /// carry others.
  std::vector<Spatial<T>> A;
  std::vector<std::vector<T>> L;  // of each cluster: D = L diag L^T
};

/// y' of the independent speeds and v' of all: the O(N) recursion over links and loop clusters.
/// `vel` is that of the tree with its loops (or of a tree without). Returns false if the mass
/// matrix is singular: a joint moves no inertia.
template <class T>
bool calc_forward_dynamics(const Model<T>& model, const Partition& partition,
                           const PositionKinematics<T>& pos, const LoopKinematics<T>& loops,
                           const VelocityKinematics<T>& vel, const Forces<T>& forces,
                           ArticulatedBodies<T>* work, VectorX<T>* y_dot, VectorX<T>* v_dot);

}  // namespace camber::multibody
