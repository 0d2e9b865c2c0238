#include "camber/multibody/blame.h"

#include <cmath>

#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/multibody/loop_kinematics.h"
#include "camber/multibody/mass_matrix.h"

namespace camber::multibody {

namespace {

/// The joint of a speed of the tree.
const Joint& joint_of(const MechanismTree& mechanism, int v) {
  const std::vector<Joint>& joints = mechanism.mechanism.joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const auto& place = mechanism.joints[j];
    if (place.in_tree && v >= place.v_start && v < place.v_start + speed_count(joints[j].type))
      return joints[j];
  }
  return joints.front();
}

std::string quoted(const char* kind, const std::string& name) {
  return concat(kind, " \"", name, "\"");
}

/// The motion of the tree's speeds with the smallest kinetic energy, relative to the energies of
/// its speeds taken one by one.
struct EasiestMotion {
  double share = 1;
  VectorX<double> v = {};
  int overflow = -1;  // the speed whose inertia is NaN, if any; then v is empty
};

EasiestMotion find_easiest_motion(const MechanismTree& mechanism, const Partition* partition,
                                  const VectorX<double>& q) {
  const Model<double>& model = mechanism.model;
  PositionKinematics<double> pos(model);
  calc_position_kinematics(model, q, &pos);
  MatrixX<double> M;
  calc_mass_matrix(model, pos, &M);
  // v = S y.
  std::vector<int> v_of_y;
  MatrixX<double> S;
  if (partition != nullptr) {
    v_of_y = partition->v_of_y;
    S = MatrixX<double>::Zero(model.nv, partition->ny());
    LoopKinematics<double> loops(model, *partition);
    calc_loop_matrices(model, *partition, pos, &loops);
    for (int j = 0; j < partition->ny(); ++j) {
      VectorX<double> v = VectorX<double>::Zero(model.nv);
      expand_speeds(model, *partition, VectorX<double>::Unit(partition->ny(), j).eval(), &loops,
                    &v);
      S.col(j) = v;
    }
  } else {
    for (int v = 0; v < model.nv; ++v) {
      if (!mechanism.motions[v]) v_of_y.push_back(v);
    }
    S = MatrixX<double>::Zero(model.nv, static_cast<int>(v_of_y.size()));
    for (std::size_t j = 0; j < v_of_y.size(); ++j) S(v_of_y[j], static_cast<int>(j)) = 1;
  }
  const MatrixX<double> inertia = S.transpose() * M * S;
  for (int v = 0; v < model.nv; ++v) {
    if (!std::isfinite(M(v, v))) return {.overflow = v};
  }
  if (inertia.size() == 0 || !inertia.allFinite()) return {};
  // Independent of units and masses: for each speed alone it would be one.
  const VectorX<double> scale =
      (inertia.diagonal().array() > 0).select(inertia.diagonal().array().rsqrt(), 1);
  const auto eigen = math::calc_symmetric_eigen(
      MatrixX<double>(scale.asDiagonal() * inertia * scale.asDiagonal()));
  return {.share = eigen.values[0], .v = S * scale.cwiseProduct(eigen.vectors.col(0))};
}

/// A motion without energy has no inertia: finds the body that moves most, and the speed of its
/// joint that causes it.
Blame blame_for(const EasiestMotion& motion, const MechanismTree& mechanism,
                const VectorX<double>& q) {
  if (motion.overflow >= 0) {
    const std::string name = quoted("joint", joint_of(mechanism, motion.overflow).name);
    return {
        concat("what ", name, " carries is so large or so far away that its inertia is not finite"),
        name};
  }
  if (motion.v.size() == 0) return {};
  const Model<double>& model = mechanism.model;
  PositionKinematics<double> pos(model);
  VelocityKinematics<double> vel(model);
  calc_position_kinematics(model, q, &pos);
  calc_velocity_kinematics(model, pos, motion.v, static_cast<const VectorX<double>*>(nullptr),
                           &vel);
  double most = 0;
  int fastest = -1;  // the first speed of its joint
  int count = 0;
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Joint& joint = mechanism.mechanism.joints[j];
    if (!mechanism.joints[j].in_tree || speed_count(joint.type) == 0) continue;
    const int link = model.bodies[joint.child.value].link;
    const Spatial<double>& V = vel.V[link];
    const Vec3<double> w = V.top(), at_joint = velocity_at(V, pos.p_OL[link]);
    const double length = model.length;
    const double speed = length * length * dot(w, w) + dot(at_joint, at_joint);
    if (!(speed > most * (1 + 1e-6))) continue;  // the first of several equal ones
    most = speed;
    fastest = mechanism.joints[j].v_start;
    count = speed_count(joint.type);
  }
  if (fastest < 0) return {};
  Eigen::Index along = 0;
  motion.v.segment(fastest, count).cwiseAbs().maxCoeff(&along);
  const int v = fastest + static_cast<int>(along);
  const Joint& joint = joint_of(mechanism, v);
  const std::string& body =
      mechanism.mechanism.bodies[static_cast<std::size_t>(joint.child.value)].name;
  return {concat("joint \"", mechanism.v_names[v], "\" moves no inertia: body \"", body,
                 "\" or a body that it carries needs mass or inertia there"),
          quoted("joint", joint.name)};
}

}  // namespace

Blame find_without_inertia(const MechanismTree& mechanism, const Partition* partition,
                           const VectorX<double>& q) {
  return blame_for(find_easiest_motion(mechanism, partition, q), mechanism, q);
}

Blame find_singular_inertia(const MechanismTree& mechanism, const Partition* partition,
                            const VectorX<double>& q) {
  constexpr double kRounding = 1e-14;
  constexpr int kMostSpeeds = 300;  // a larger matrix costs more than it saves
  if (mechanism.model.nv > kMostSpeeds) return {};
  const EasiestMotion motion = find_easiest_motion(mechanism, partition, q);
  return motion.share > kRounding ? Blame{} : blame_for(motion, mechanism, q);
}

Blame find_not_finite(const MechanismTree& mechanism, const Model<double>& model,
                      std::span<const int> driven, std::span<const double> motions,
                      const VectorX<double>& q, const VectorX<double>& v) {
  for (std::size_t i = 0; i < driven.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (std::isfinite(motions[3 * i + k])) continue;
      constexpr const char* kWhat[] = {"value", "speed", "acceleration"};
      return {
          concat("the motion of joint \"", mechanism.v_names[driven[i]], "\" has no ", kWhat[k]),
          quoted("joint", joint_of(mechanism, driven[i]).name) + ".motion"};
    }
  }
  if (!q.allFinite() || !v.allFinite()) {
    if (&model != &mechanism.model) return {};
    for (int k = 0; k < model.nv; ++k) {
      if (!std::isfinite(v[k]))
        return {concat("the speed of \"", mechanism.v_names[k], "\" is not a number"),
                quoted("joint", joint_of(mechanism, k).name)};
    }
    return {};
  }
  PositionKinematics<double> pos(model);
  calc_position_kinematics(model, q, &pos);
  for (std::size_t i = 0; i < model.springs.size(); ++i) {
    const SpringForce<double>& spring = model.springs[i];
    const Vec3<double> d = (pos.p_OL[spring.b] + pos.R_WL[spring.b] * spring.p_B) -
                           (pos.p_OL[spring.a] + pos.R_WL[spring.a] * spring.p_A);
    if (dot(d, d) > 0 || !(spring.free_length > 0)) continue;
    const std::string name = quoted("spring", mechanism.mechanism.springs[i].name);
    return {concat(name,
                   " has length 0 m: its force has no direction (allowed only if its free_length "
                   "is 0)"),
            name};
  }
  return {};
}

}  // namespace camber::multibody
