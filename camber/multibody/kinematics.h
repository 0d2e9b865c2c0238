#pragma once

#include <vector>

#include "camber/multibody/model.h"

namespace camber::multibody {

/// What follows from q alone. Spatial quantities are taken about O, a point fixed in W near the
/// mechanism (at model.p_WO, or where model.origin_link is at this moment), and expressed in W:
/// contributions of several bodies are added without a transform.
template <class T>
struct PositionKinematics {
  explicit PositionKinematics(const Model<T>& model);

  Vec3<T> p_WO;                    // [m]
  std::vector<Mat3<T>> R_WL;       // of each link
  std::vector<Vec3<T>> p_OL;       // [m]
  std::vector<Spatial<T>> H;       // of each speed: V of the link in its parent is the sum of H v
  std::vector<RigidInertia<T>> M;  // of each link
  VectorX<T> sine, cosine;         // of all coordinates
};

/// What follows from q and v.
template <class T>
struct VelocityKinematics {
  explicit VelocityKinematics(const Model<T>& model);

  std::vector<Spatial<T>> V;  // of each link in W
  /// Acceleration of each link for the known v', minus that of free fall: A - [0; g].
  std::vector<Spatial<T>> A;
};

/// Fills all of `pos`. O(links).
template <class T>
void calc_position_kinematics(const Model<T>& model, const VectorX<T>& q,
                              PositionKinematics<T>* pos);

/// Fills V and A. `v_dot` is the known part of v', zero elsewhere: all of it for inverse dynamics;
/// that of driven joints and the loops' part g for forward dynamics; null for a tree without
/// either.
template <class T>
void calc_velocity_kinematics(const Model<T>& model, const PositionKinematics<T>& pos,
                              const VectorX<T>& v, const VectorX<T>* v_dot,
                              VelocityKinematics<T>* vel);

/// Both for a tree without loops, link by link: faster, since a link's H, R_WL and p_OL are still
/// in registers.
template <class T>
void calc_tree_kinematics(const Model<T>& model, const VectorX<T>& q, const VectorX<T>& v,
                          const VectorX<T>* v_dot, PositionKinematics<T>* pos,
                          VelocityKinematics<T>* vel);

/// q' = N(q) v, quaternion rates included, for an integrator that treats q as a vector.
template <class T>
void calc_position_rates(const Model<T>& model, const VectorX<T>& q, const VectorX<T>& v,
                         VectorX<T>* q_dot);

/// q moved by the joint displacements `step` (one per speed): quaternions through the exponential
/// map, so that they keep unit length.
template <class T>
void move_positions(const Model<T>& model, const VectorX<T>& step, VectorX<T>* q);

/// The same for some consecutive links only.
template <class T>
void move_links(const Model<T>& model, int first_link, int link_count, const VectorX<T>& step,
                VectorX<T>* q);

/// Position and rotation of a body in W.
template <class T>
struct BodyPose {
  Mat3<T> R_WB;
  Vec3<T> p_WB;
};
template <class T>
BodyPose<T> calc_body_pose(const Model<T>& model, const PositionKinematics<T>& pos, BodyIndex body);

namespace internal {

/// One link: frame, joint axes. `sine` and `cosine` of its coordinate must be set.
template <class T>
void place_link(const Model<T>& model, int link, const VectorX<T>& q, PositionKinematics<T>* pos);

/// Inertias about O of some consecutive links, after they are in place.
template <class T>
void place_inertias(const Model<T>& model, int first, int last, PositionKinematics<T>* pos);

/// Velocities of some consecutive links, and their accelerations for v_dot, which may be null.
template <class T>
void move_links(const Model<T>& model, int first, int last, const PositionKinematics<T>& pos,
                const VectorX<T>& v, const VectorX<T>* v_dot, VelocityKinematics<T>* vel);

/// O, and the world's place as seen from it.
template <class T>
void place_origin(const Model<T>& model, const VectorX<T>& q, PositionKinematics<T>* pos);

template <class T>
void calc_sines(const Model<T>& model, const VectorX<T>& q, PositionKinematics<T>* pos);

}  // namespace internal

}  // namespace camber::multibody
