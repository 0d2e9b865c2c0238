#pragma once

// The tree that the algorithms run on. Made from a Mechanism by compile.h; constant from then on,
// shared by all threads.
//
// A link is a part of the tree that moves by one joint of one kind. A body becomes one link, unless
// it is welded to another (then it is part of that one's link), or its joint is a chain of simpler
// ones (universal, cylindrical, planar: massless links come before it). A link's frame L is its
// joint's frame M, so a revolute joint always rotates about z of L.

#include <string>
#include <vector>

#include "camber/math/lanes.h"
#include "camber/math/spatial.h"
#include "camber/math/types.h"
#include "camber/multibody/mechanism.h"

namespace camber::multibody {

using math::Mat3, math::RigidInertia, math::Spatial, math::SymMat3, math::SymMat6, math::Vec3;
using math::rotation_of_quaternion;

enum class LinkKind { kRevolute, kPrismatic, kScrew, kSpherical, kFree };

template <class T>
struct Link {
  LinkKind kind = LinkKind::kRevolute;
  bool has_mass = false;
  bool is_driven = false;  // its motion is given: its speeds are not unknowns
  // For sums over branches, tip to base (forward_dynamics.cc). A running sum passes from link to
  // link and is stored where another branch starts; those of a cluster are all stored at its links.
  bool is_simple_tip = false;    // has mass, one speed that is not driven, and carries nothing
  bool continues_sum = false;    // the running sum is its own, or its parent's at a tip
  bool has_branches = false;     // a sum is stored here
  bool is_first_branch = false;  // the running sum is stored before this link: the first one there
  bool is_rotor = false;         // a cluster's link carries it as its `rotor`
  /// One speed, with so much inertia of its own along it that its pivot cannot vanish by rounding
  /// and need not be checked (forward_dynamics.cc).
  bool has_sure_pivot = false;
  int parent = 0;  // link
  int q_start = 0, v_start = 0, nv = 0;
  /// A simple tip that is rotationally symmetric about its axis: a wheel. 0 if there is none.
  int rotor = 0;
  using Constant = math::Constant<T>;
  Mat3<Constant> R_PF = Mat3<Constant>::identity();  // joint frame F on the parent link
  Vec3<Constant> p_PF;                               // [m]
  Constant pitch = Constant(0);                      // [m/rad]
  Constant mass = Constant(0);                       // [kg]
  Vec3<Constant> p_LLcm;                             // center of mass [m]
  SymMat3<Constant> I_LLcm;                          // about the center of mass [kg m^2]
  /// I_LLcm = middle 1 + larger larger^T - smaller smaller^T, of its principal axes.
  Constant middle = Constant(0);
  Vec3<Constant> larger, smaller;
};

/// One scalar equation between the motions of two links, with exact derivatives (constraint_row.h).
enum class RowKind {
  kPoint,       // e_a . (p_b - p_a) = 0: a point of b stays in a plane of a
  kDot,         // e_a . f_b = 0: a direction of b stays normal to one of a
  kScrew,       // e_a . (p_b - p_a) = pitch * angle of b about e_a
  kDistance,    // |p_b - p_a| = length
  kCoupler,     // sum of factor * coordinate = length
  kRollNormal,  // a circle on b touches a plane on a
  kRollSlip,    // its lowest point does not slip along direction e: nonholonomic
};

template <class T>
struct CouplerTerm {
  int q = 0, v = 0;  // places of the coordinate and its speed
  T factor = T(0);
};

template <class T>
struct ConstraintRow {
  RowKind kind = RowKind::kPoint;
  int a = 0, b = 0;  // links
  Vec3<T> p_A, p_B;  // points on a and b, in their axes [m]
  Vec3<T> e_A, f_A;  // directions on a; f_A: zero direction of angles
  Vec3<T> e_B;       // direction on b
  T length = T(0);   // [m]; of a rolling wheel: its radius
  T pitch = T(0);    // [m/rad]
  std::vector<CouplerTerm<T>> terms = {};
  std::string name = {};  // "loop G, along y": for messages
  double unit = 1;        // unit of its error: the mechanism's length [m], or 1 (measure_by())
  bool holonomic() const { return kind != RowKind::kRollSlip; }
};

/// A loop cluster: links connected by loops, and the loops' equations. Its links are consecutive.
struct Cluster {
  int first_link = 0, link_count = 0;
  int v_start = 0, nv = 0;  // its speeds
  std::vector<int> rows;    // in Model::rows, all of them
};

/// The place of a body: its link, and its fixed pose on it.
template <class T>
struct BodyPlace {
  int link = 0;
  Mat3<T> R_LB = Mat3<T>::identity();
  Vec3<T> p_LB;
};

// Force elements, on links.

template <class T>
struct AxisForce {
  int q = -1, v = 0;  // q < 0: no coordinate, only damping
  T stiffness = T(0), rest = T(0), damping = T(0), friction = T(0), friction_speed = T(1);
  bool has_lower = false, has_upper = false;
  T lower = T(0), upper = T(0), stop_stiffness = T(0), stop_damping = T(0);
  T force = T(0);
};

template <class T>
struct SpringForce {
  int a = 0, b = 0;
  Vec3<T> p_A, p_B;
  T free_length = T(0), stiffness = T(0), damping = T(0), preload = T(0);
  std::vector<T> spring_x, spring_y, damper_x, damper_y;
  // Optional end zones of the stroke: another table, blended in over a distance of 1 / end_rate.
  std::vector<T> end_x = {}, end_y = {};
  T shortest = T(0), longest = T(0), end_rate = T(0);
};

template <class T>
struct BushingForce {
  int a = 0, b = 0;
  Mat3<T> R_AP = Mat3<T>::identity(), R_BQ = Mat3<T>::identity();
  Vec3<T> p_AP, p_BQ;
  T stiffness[6][6], damping[6][6];  // [rotation; translation]
};

template <class T>
struct WrenchForce {
  int link = 0;
  Vec3<T> p_L, force, torque;
  bool in_world = true;
};

/// A circle on b that a plane on a pushes away, along its row of kind kRollNormal.
template <class T>
struct ContactForce {
  ConstraintRow<T> row;
  T stiffness = T(0), damping = T(0);
};

template <class T>
struct Model {
  std::vector<Link<T>> links;  // 0 is the world; a parent comes before its children
  /// Clusters in the order of their links; links between them belong to none.
  std::vector<Cluster> clusters;
  std::vector<int> cluster_of;  // of each link, or -1
  std::vector<ConstraintRow<T>> rows;
  std::vector<BodyPlace<T>> bodies;
  std::vector<AxisForce<T>> axes;
  std::vector<SpringForce<T>> springs;
  std::vector<BushingForce<T>> bushings;
  std::vector<WrenchForce<T>> wrenches;
  std::vector<ContactForce<T>> contacts;
  Vec3<T> gravity;
  int nq = 0, nv = 0;
  int origin_link = 0;           // O is at its origin: a vehicle may be far from the origin of W
  Vec3<math::Constant<T>> p_WO;  // O, if there is no such link [m]
  double length = 1;             // extent of the mechanism from O: unit of lengths [m]
  std::vector<double> speed_units = {};  // of each speed: length for a slide [m], 1 for an angle
};

/// Sets Model::length, speed_units, the rows' units and Link::has_sure_pivot.
void measure_by(double length, Model<double>* model);
/// The unit of one row, from the model's.
double unit_of(const ConstraintRow<double>& row, const Model<double>& model);

/// Sets Link::is_simple_tip, continues_sum, has_branches, is_first_branch, is_rotor and rotor from
/// the links' order, clusters and inertias.
void mark_branches(Model<double>* model);

/// The same model with another scalar.
template <class T, class U>
Vec3<T> cast(const Vec3<U>& x) {
  return {T(x[0]), T(x[1]), T(x[2])};
}
template <class T, class U>
Mat3<T> cast(const Mat3<U>& A) {
  return {{cast<T>(A.c[0]), cast<T>(A.c[1]), cast<T>(A.c[2])}};
}
template <class T>
AxisForce<T> cast(const AxisForce<double>& f) {
  return {f.q,
          f.v,
          T(f.stiffness),
          T(f.rest),
          T(f.damping),
          T(f.friction),
          T(f.friction_speed),
          f.has_lower,
          f.has_upper,
          T(f.lower),
          T(f.upper),
          T(f.stop_stiffness),
          T(f.stop_damping),
          T(f.force)};
}
template <class T>
Model<T> cast_model(const Model<double>& model);

/// Changes the load of a wrench that is given in W.
template <class T>
void set_wrench(int wrench, const Vec3<double>& force, const Vec3<double>& torque,
                Model<T>* model) {
  model->wrenches[wrench].force = cast<T>(force);
  model->wrenches[wrench].torque = cast<T>(torque);
}

inline Vec3<double> to_vec3(const Vector3& x) { return {x[0], x[1], x[2]}; }
inline Vector3 to_eigen(const Vec3<double>& x) { return {x[0], x[1], x[2]}; }
inline Mat3<double> to_mat3(const Matrix3& A) {
  return {{to_vec3(A.col(0)), to_vec3(A.col(1)), to_vec3(A.col(2))}};
}
inline Matrix3 to_eigen(const Mat3<double>& A) {
  Matrix3 result;
  for (int j = 0; j < 3; ++j) result.col(j) = to_eigen(A.c[j]);
  return result;
}

}  // namespace camber::multibody
