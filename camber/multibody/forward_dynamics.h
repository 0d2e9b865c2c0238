#pragma once

#include <vector>

#include "camber/multibody/loop_kinematics.h"

namespace camber::multibody {

/// Pivots that are less of their diagonal entry than this are what rounding left of nothing.
constexpr double kLostPivot = 1e-14;

/// What pushes the links: spatial forces about O in W, and forces along the joints' speeds.
template <class T>
struct Forces {
  explicit Forces(const Model<T>& model);

  /// None at all.
  void clear();
  void push(int link, const Spatial<T>& force) {
    F[link] += force;
    acts_on_links = true;
  }

  std::vector<Spatial<T>> F;   // on each link
  bool acts_on_links = false;  // else all of F is zero, and need not be looked at
  VectorX<T> tau;              // of each speed
};

/// Scratch and results of the recursion; sized once, one per thread.
template <class T>
struct ArticulatedBodies {
  ArticulatedBodies(const Model<T>& model, const Partition& partition);

  std::vector<SymMat6<T>> P;       // articulated inertia of each link
  std::vector<Spatial<T>> Z;       // and the force that goes with it
  std::vector<RigidInertia<T>> M;  // of each link that carries a rotor: with it
  /// Of each independent speed, after those before it are eliminated: gain P H / D, 1 / D, and the
  /// force that is left for it over D. [002]: G, D^-1, nu.
  std::vector<Spatial<T>> K;
  std::vector<T> D_inverse, nu;
  /// Of each link, beyond that for v' = g; of a cluster's links, of those that carry others.
  std::vector<Spatial<T>> A;
  std::vector<std::vector<T>> L;  // of each cluster: D = L diag L^T
};

/// y' of the independent speeds and v' of all: the O(N) recursion over links and loop clusters.
/// `vel` is that of the tree with its loops (or of a tree without). False where the mass matrix is
/// singular: a joint without inertia behind it.
template <class T>
bool calc_forward_dynamics(const Model<T>& model, const Partition& partition,
                           const PositionKinematics<T>& pos, const LoopKinematics<T>& loops,
                           const VelocityKinematics<T>& vel, const Forces<T>& forces,
                           ArticulatedBodies<T>* work, VectorX<T>* y_dot, VectorX<T>* v_dot);

}  // namespace camber::multibody
